"""Runs cells the way TaskWeaver's kernel does. Any engine drives it through `Runner`, with a function that sends events."""

from .runner import Runner

__all__ = ["Runner"]
