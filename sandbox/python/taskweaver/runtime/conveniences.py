import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from typing import Any, Dict

CONVENIENCES = (("pandas", "pandas", "pd"), ("numpy", "numpy", "np"), ("matplotlib", "matplotlib.pyplot", "plt"))
SHOWN_ROWS = 5


def bind_conveniences(namespace: Dict[str, Any]) -> None:
    """`pd`, `np` and `plt`, where the packages are there."""
    os.environ.setdefault("MPLBACKEND", "Agg")
    for package, module_name, alias in CONVENIENCES:
        if importlib.util.find_spec(package) is not None:
            namespace[alias] = LazyModule(module_name)
    sys.meta_path.insert(0, _PandasFinder())


class LazyModule(types.ModuleType):
    """Stands for a large module until it is first used; a start must not pay for importing pandas."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)

    def __dir__(self) -> Any:
        return dir(importlib.import_module(self.__name__))


class _PandasFinder(importlib.abc.MetaPathFinder):
    """Sets how data frames are shown at the moment when pandas is imported, so that the user's own settings win."""

    searching = False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "pandas" or self.searching:
            return None
        self.searching = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.searching = False
        if spec is not None and spec.loader is not None:
            self._follow(spec.loader)
        return spec

    def _follow(self, loader: Any) -> None:
        execute = loader.exec_module

        def execute_and_set(module: types.ModuleType) -> None:
            execute(module)
            _show_few_rows(module)

        loader.exec_module = execute_and_set


def _show_few_rows(pandas: Any) -> None:
    for option, value in (("max_rows", SHOWN_ROWS), ("min_rows", None), ("max_columns", None), ("width", 1000)):
        pandas.set_option(f"display.{option}", value)
