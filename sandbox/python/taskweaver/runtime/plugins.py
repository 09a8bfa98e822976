import linecache
import sys
import types
from typing import Any, Dict, List

from ..plugin.register import collect_registrations, forget_test_cases
from .errors import describe_error


class PluginShelf:
    """The plugins of one interpreter. A plugin is loaded again only when its hash changes; one that fails to load is
    reported and stops nothing else."""

    def __init__(self, namespace: Dict[str, Any], context: Any) -> None:
        self.namespace = namespace
        self.context = context
        self.loaded: Dict[str, Dict[str, Any]] = {}

    def install(self, specifications: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        wanted = {specification["name"] for specification in specifications}
        for name in [name for name in self.loaded if name not in wanted]:
            self._unload(name)
        return [self._load(specification) for specification in specifications]

    def _load(self, specification: Dict[str, Any]) -> Dict[str, Any]:
        name = specification["name"]
        known = self.loaded.get(name)
        if known and known["hash"] == specification["hash"]:
            return known["report"]
        self._unload(name)
        report: Dict[str, Any] = {"name": name, "ok": True}
        try:
            self.context.plugin_environments[name] = dict(specification.get("environment") or {})
            self.namespace[name] = self._instance(name, specification["code"], specification.get("config"))
        except BaseException as error:
            report = {"name": name, "ok": False, "error": describe_error(error)[2].rstrip()}
        self.loaded[name] = {"hash": specification["hash"], "report": report}
        return report

    def _instance(self, name: str, code: str, config: Any) -> Any:
        if not name.isidentifier():
            raise ValueError(f"A plugin's name is a Python name; {name!r} is none")
        file_name = f"<plugin {name}>"
        linecache.cache[file_name] = (len(code), None, code.splitlines(True), file_name)
        module = types.ModuleType(f"taskweaver_ext.plugin.{name}")
        module.__file__ = file_name
        sys.modules[module.__name__] = module
        program = compile(code, file_name, "exec", dont_inherit=True)
        registered = collect_registrations(lambda: exec(program, module.__dict__))
        if len(registered) != 1:
            raise ValueError(f"A plugin file registers exactly one plugin; {name} registers {len(registered)}")
        return registered[0](name, self.context, dict(config or {}))

    def _unload(self, name: str) -> None:
        forget_test_cases(name)
        if self.loaded.pop(name, None) is not None:
            self.namespace.pop(name, None)
            self.context.plugin_environments.pop(name, None)
            sys.modules.pop(f"taskweaver_ext.plugin.{name}", None)
