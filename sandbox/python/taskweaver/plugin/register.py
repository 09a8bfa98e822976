import inspect
import traceback
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
    """Collects a plugin's own test case; `run_test_cases` runs them."""

    def collect(test_case: Callable) -> Callable:
        _test_cases.append((name or test_case.__name__, description or "", test_case))
        return test_case

    return collect


test_plugin.__test__ = False  # type: ignore[attr-defined]


def run_test_cases(plugin: Plugin) -> List[dict]:
    """Runs the test cases of the file that a loaded plugin comes from, and tells how each went."""
    module = f"taskweaver_ext.plugin.{plugin.name}"
    outcomes = []
    for name, description, test_case in _test_cases:
        if test_case.__module__ != module:
            continue
        outcome = {"name": name, "description": description, "ok": True}
        try:
            test_case(plugin)
        except Exception:
            outcome.update(ok=False, error=traceback.format_exc(limit=-1).rstrip())
        outcomes.append(outcome)
    return outcomes


def forget_test_cases(name: str) -> None:
    """The plugin is loaded anew or not at all: its cases come with its file."""
    module = f"taskweaver_ext.plugin.{name}"
    _test_cases[:] = [case for case in _test_cases if case[2].__module__ != module]


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
