import asyncio
import builtins
import contextlib
import inspect
import linecache
import sys
import types
from typing import Any, Callable, ContextManager, Dict, List, Optional

from . import files
from .artifacts import ExecutionContext
from .calls import OutsideCalls, Receive
from .cell import PIP_HOOK, compile_cell
from .conveniences import bind_conveniences
from .errors import describe_error
from .figures import save_figures
from .output import OutputBudget, OutputStream
from .packages import pip_install
from .plugins import PluginShelf
from .values import mime_bundle, repr_text, summarise_variables

OUTPUT_LIMIT = 1024 * 1024
SHOWN_LIMIT = 24 * 1024 * 1024


class Runner:
    """One interpreter's session: its namespace, plugins and working folder. `emit` sends one event to the server.
    An engine calls `configure` once or more, `run` a cell at a time, and `tick` every now and then while a cell runs.
    `user_code` is entered around whatever the user wrote, for engines that have to know. `receive` waits for a message
    of the server, a moment at most, and gives it or None; without it no plugin outside of the sandbox can be called."""

    def __init__(
        self,
        emit: Callable[[Dict[str, Any]], None],
        folder: str,
        user_code: Optional[ContextManager[Any]] = None,
        receive: Optional[Receive] = None,
    ) -> None:
        self.emit = emit
        self.user_code = user_code or contextlib.nullcontext()
        self.folder = folder
        self.cells = 0
        main = types.ModuleType("__main__")
        main.__dict__.update({"__builtins__": builtins, "display": self.display})
        sys.modules["__main__"] = main
        self.namespace = main.__dict__
        self.context = ExecutionContext(folder, self._show, OutsideCalls(emit, receive))
        self.shown = 0
        self.plugins = PluginShelf(self.namespace, self.context)
        self.stdout = OutputStream("stdout", emit)
        self.stderr = OutputStream("stderr", emit)
        self.install_builtins()
        bind_conveniences(self.namespace)
        self.given = set(self.namespace)

    def configure(
        self, context_id: str, plugins: Optional[List[Dict[str, Any]]], variables: Optional[Dict[str, str]]
    ) -> Dict[str, Any]:
        self.context.session_id = context_id
        if variables is not None:
            self.context.session_variables = dict(variables)
        self._open_output()
        try:
            with self.user_code:
                reports = self.plugins.install(plugins) if plugins is not None else []
        finally:
            self._close_output()
        return {"type": "configured", "plugins": reports}

    def run(self, execution_id: str, index: int, code: str) -> Dict[str, Any]:
        """Runs one cell and returns its report; everything else went out as events."""
        self.cells += 1
        self.context.begin(execution_id, index)
        before = files.scan(self.folder)
        budget = self._open_output()
        self.shown = 0
        error = None
        try:
            with self.user_code:
                self._run_code(code, f"<cell {self.cells}>")
                save_figures(self.context)
        except BaseException as raised:
            error = raised
        self._close_output()
        return self._report(error, budget, before)

    def tick(self) -> None:
        self.stdout.tick()
        self.stderr.tick()

    def display(self, *values: Any, **_: Any) -> None:
        """The notebook's `display`: rich forms of the values, as they are now."""
        for value in values:
            self._flush()
            self._show({"type": "display", "data": {"text/plain": repr_text(value), **mime_bundle(value)}})

    def _show(self, event: Dict[str, Any]) -> None:
        """Sends what a cell shows besides its output, up to a limit; past it only the result's text still goes out."""
        values = (*event.values(), *event.get("data", {}).values())
        self.shown += 100 + sum(len(value) for value in values if isinstance(value, str))
        if self.shown <= SHOWN_LIMIT:
            self.emit(event)
        elif event["type"] == "result":
            self.emit({**event, "data": {}})

    def _run_code(self, code: str, file_name: str) -> None:
        linecache.cache[file_name] = (len(code), None, code.splitlines(True), file_name)
        statements, expression = compile_cell(code, file_name)
        self._evaluate(statements)
        value = self._evaluate(expression) if expression is not None else None
        if value is not None:
            self._flush()
            self._show({"type": "result", "text": repr_text(value), "data": mime_bundle(value)})

    def _evaluate(self, program: Any) -> Any:
        value = eval(program, self.namespace)
        if program.co_flags & inspect.CO_COROUTINE:
            return asyncio.run(value)
        return value

    def _report(self, error: Optional[BaseException], budget: OutputBudget, before: files.State) -> Dict[str, Any]:
        report: Dict[str, Any] = {"type": "report", "status": "success", "interrupted": False, "files_changed": []}
        if error is not None:
            name, message, text = describe_error(error)
            report["status"] = "failure"
            report["interrupted"] = isinstance(error, KeyboardInterrupt)
            report["error"] = {"name": name, "message": message, "traceback": text}
        if budget.dropped or self.shown > SHOWN_LIMIT:
            report["truncated"] = True
        report["files_changed"] = files.changes(before, files.scan(self.folder))
        for artifact in self.context.finish(report["files_changed"]):
            self.emit(artifact)
        report["variables"] = summarise_variables(self.namespace, self.given | set(self.plugins.loaded))
        return report

    def _open_output(self) -> OutputBudget:
        budget = self.stdout.budget = self.stderr.budget = OutputBudget(OUTPUT_LIMIT)
        sys.stdout, sys.stderr = self.stdout, self.stderr
        return budget

    def _flush(self) -> None:
        self.stdout.flush()
        self.stderr.flush()

    def _close_output(self) -> None:
        self._flush()
        dropped = self.stdout.budget.dropped
        if dropped:
            self.emit({"type": "stdout", "text": f"\n… {dropped} more characters\n"})

    def install_builtins(self) -> None:
        """What a notebook's cell may not do as usual. A kernel puts its own in the place of some."""

        def no_input(prompt: object = "") -> str:
            raise RuntimeError("input() is not available here: nobody can type an answer. Put the value in the code.")

        def leave(*_: object) -> None:
            """In a notebook `exit()` must not end the session."""

        builtins.input = no_input
        builtins.exit = builtins.quit = leave
        setattr(builtins, PIP_HOOK, pip_install)
