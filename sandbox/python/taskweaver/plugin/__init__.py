"""The surface that TaskWeaver plugin files import. Same names and behaviour as the original, so they run unchanged."""

from .base import Plugin
from .context import ArtifactType, LogErrorLevel, PluginContext
from .register import register_plugin, test_plugin

__all__ = ["ArtifactType", "LogErrorLevel", "Plugin", "PluginContext", "register_plugin", "test_plugin"]
