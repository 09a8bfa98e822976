from abc import ABC, abstractmethod
from typing import Any, Dict, Optional

from .context import LogErrorLevel, PluginContext


class Plugin(ABC):
    """One instance lives as long as the interpreter, so what a plugin keeps on itself (a loaded model) stays."""

    def __init__(self, name: str, ctx: PluginContext, config: Optional[Dict[str, Any]] = None) -> None:
        self.name = name
        self.ctx = ctx
        self.config = config or {}

    @abstractmethod
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def log(self, level: LogErrorLevel, message: str) -> None:
        self.ctx.log(level, "Plugin-" + self.name, message)

    def get_env(self, variable_name: str) -> str:
        return self.ctx.get_env(self.name, variable_name)
