import os
from typing import Any, Dict, List, Optional, Tuple

from ..plugin.context import PluginContext
from . import files


VARIABLE_NAME = 200
VARIABLE_TEXT = 10_000


class ExecutionContext(PluginContext):
    """The context that plugins get here. Its artifacts are sent when the cell ends, when their files are complete."""

    env_id = "taskweaver-edge"
    session_id = ""
    execution_id = ""

    def __init__(self, folder: str, emit: Any, calls: Any) -> None:
        self.folder = folder
        self.execution_idx = 0
        self.session_variables: Dict[str, str] = {}
        self.plugin_environments: Dict[str, Dict[str, str]] = {}
        self._emit = emit
        self._calls = calls
        self._artifacts: List[Dict[str, Any]] = []
        self._counter = 0

    def begin(self, execution_id: str, index: int) -> None:
        self.execution_id = execution_id
        self.execution_idx = index
        self._artifacts = []
        self._counter = 0

    def add_artifact(self, name, file_name, type, val, desc=None, **kwargs):
        preview = _preview_of_value(type, val)
        artifact_id, path = self._register(name, file_name, type, desc or "", preview)
        if type == "df":
            val.to_csv(path, index=False)
        elif type in ("chart", "file", "txt", "svg", "html"):
            binary = isinstance(val, (bytes, bytearray))
            with open(path, "wb" if binary else "w", **({} if binary else {"encoding": "utf-8"})) as file:
                file.write(val if binary else str(val))
        else:
            self._artifacts.pop()
            raise ValueError(f"add_artifact can't store the type {type!r}: use create_artifact_path and write the file")
        return artifact_id

    def create_artifact_path(self, name, file_name, type, desc="", **kwargs):
        return self._register(name, file_name, type, desc or "", desc or "")

    def set_output(self, output: Any) -> None:
        """In the original's executor too; the cell's own result is what counts."""

    def get_session_var(self, variable_name, default=None):
        return self.session_variables.get(variable_name, default)

    def set_session_var(self, variable_name, value):
        name, text = str(variable_name), str(value)
        if value is None or not name or len(name) > VARIABLE_NAME or len(text) > VARIABLE_TEXT:
            raise ValueError(
                f"A session variable has a name of at most {VARIABLE_NAME} characters and a text of at most {VARIABLE_TEXT}"
            )
        self.session_variables[name] = text
        self._calls.emit({"type": "session_var", "name": name, "value": text})

    def call_edge(self, name, args, kwargs):
        return self._calls.call(name, args, kwargs)

    def log(self, level, tag, message):
        self._emit({"type": "log", "level": str(level), "tag": str(tag), "message": str(message)[:20_000]})

    def get_env(self, plugin_name, variable_name):
        given = self.plugin_environments.get(plugin_name, {})
        if variable_name in given:
            return given[variable_name]
        name = f"PLUGIN_{plugin_name}_{variable_name}"
        if name not in os.environ:
            raise ValueError(
                f"{name} is not set. Name {variable_name} under `environment` in the plugin's YAML, and set the secret."
            )
        return os.environ[name]

    def finish(self, changed: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        """The cell's artifacts: those that were registered and whose file is there, then every other changed file."""
        finished = []
        for artifact in self._artifacts:
            try:
                artifact["size"] = os.stat(os.path.join(self.folder, artifact["file"])).st_size
            except OSError:
                self.log("warning", "Artifact", f"{artifact['file']} was announced and never written")
                continue
            finished.append(artifact)
        registered = {artifact["file"] for artifact in finished}
        for file in changed:
            if file["path"] in registered:
                continue
            kind = files.kind_of(file["path"])
            preview = files.preview_of(self.folder, file["path"], kind)
            finished.append({**self._describe(file["path"], file["path"], kind, "", preview), "size": file["size"]})
        return finished

    def _register(self, name: str, file_name: str, type: str, desc: str, preview: str) -> Tuple[str, str]:
        artifact = self._describe(name, "", type, desc, preview)
        artifact["file"] = f"{artifact['id']}_{os.path.basename(file_name)}"
        artifact["mime"] = files.mime_of(artifact["file"])
        self._artifacts.append(artifact)
        return artifact["id"], os.path.join(self.folder, artifact["file"])

    def _describe(self, name: str, file: str, kind: str, desc: str, preview: str) -> Dict[str, Any]:
        artifact_id = f"obj_{self.execution_idx}_{kind}_{self._counter:04x}"
        self._counter += 1
        return {
            "type": "artifact", "id": artifact_id, "name": name, "kind": kind, "file": file,
            "mime": files.mime_of(file), "size": 0, "description": desc, "preview": preview,
        }


def _preview_of_value(type: str, value: Any) -> Optional[str]:
    if type == "chart":
        return "chart"
    if type == "df":
        rows, columns = value.shape
        return f"DataFrame in shape ({rows}, {columns}) with columns {list(value.columns)}"
    if type == "html":
        return "Web Page"
    return str(value[:100] if isinstance(value, (str, bytes)) else value)[:100]
