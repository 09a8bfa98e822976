"""Rarely used helpers that the original's plugins may import."""


def make_api_call(*args, **kwargs):
    raise RuntimeError("make_api_call needs the network, and code in this sandbox has none.")
