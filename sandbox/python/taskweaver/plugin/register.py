import inspect
from typing import Any, Callable, List, Optional, Tuple

from .base import Plugin

_registering: Optional[List[type]] = None
_test_cases: List[Tuple[str, str, Callable]] = []


def register_plugin(target: Any = None) -> Any:
    """Decorator for a Plugin subclass or for a plain function. With or without parentheses."""
    if target is None:
        return register_plugin
    if inspect.isclass(target) and issubclass(target, Plugin):
        plugin_class = target
    elif callable(target):
        plugin_class = _wrap_function(target)
    else:
        raise TypeError("register_plugin takes a subclass of Plugin or a function, not " + repr(target))
    if _registering is not None:
        _registering.append(plugin_class)
    return target


def test_plugin(name: Optional[str] = None, description: Optional[str] = None) -> Callable:
    """Collects a plugin's own test case. Nothing in the sandbox runs them."""

    def collect(test_case: Callable) -> Callable:
        _test_cases.append((name or test_case.__name__, description or "", test_case))
        return test_case

    return collect


test_plugin.__test__ = False  # type: ignore[attr-defined]


def collect_registrations(load: Callable[[], None]) -> List[type]:
    """Runs `load` and returns the plugin classes that it registered."""
    global _registering
    outer, _registering = _registering, []
    try:
        load()
        return _registering
    finally:
        _registering = outer


def _wrap_function(function: Callable) -> type:
    class FunctionPlugin(Plugin):
        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            self.log("info", "calling function " + function.__name__)
            return function(*args, **kwargs)

    FunctionPlugin.__name__ = FunctionPlugin.__qualname__ = function.__name__
    FunctionPlugin.__doc__ = function.__doc__
    return FunctionPlugin
