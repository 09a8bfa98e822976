import contextlib
import os
import tempfile
from abc import ABC, abstractmethod
from typing import Any, Dict, Iterator, Literal, Optional, Tuple

ArtifactType = Literal["chart", "image", "df", "file", "txt", "svg", "html"]
LogErrorLevel = Literal["info", "warning", "error"]


class PluginContext(ABC):
    """What a plugin may ask of the session it runs in."""

    @property
    @abstractmethod
    def execution_id(self) -> str: ...

    @property
    @abstractmethod
    def session_id(self) -> str: ...

    @property
    @abstractmethod
    def env_id(self) -> str: ...

    @abstractmethod
    def add_artifact(
        self, name: str, file_name: str, type: ArtifactType, val: Any, desc: Optional[str] = None, **kwargs: Any
    ) -> str:
        """Stores `val` as a file of the working folder and returns the artifact's id."""

    @abstractmethod
    def create_artifact_path(
        self, name: str, file_name: str, type: ArtifactType, desc: str, **kwargs: Any
    ) -> Tuple[str, str]:
        """Returns (id, path); the plugin writes the file itself."""

    @abstractmethod
    def get_session_var(self, variable_name: str, default: Optional[str] = None) -> Optional[str]: ...

    @abstractmethod
    def set_session_var(self, variable_name: str, value: Any) -> None:
        """Sets a variable of the session, as text: for this code from now on, and for all that comes after the cell."""

    @abstractmethod
    def call_edge(self, name: str, args: Any, kwargs: Any) -> Any:
        """Calls the plugin of this name that runs outside of the sandbox, and waits for what it returns."""

    @abstractmethod
    def log(self, level: LogErrorLevel, tag: str, message: str) -> None: ...

    @abstractmethod
    def get_env(self, plugin_name: str, variable_name: str) -> str: ...

    def wrap_text_with_delimiter_temporal(self, text: str) -> str:
        """Marks text that the conversation shows in this round only."""
        return "{{DELIMITER_START_TEMPORAL}}" + text + "{{DELIMITER_END_TEMPORAL}}"

    def call_llm_api(self, messages: Any, **kwargs: Any) -> None:
        """A stub in TaskWeaver too: it answers None."""
        return None


class TestPluginContext(PluginContext):
    """For a plugin's own test cases: prints logs and keeps artifacts in a folder."""

    __test__ = False  # not a test case itself, whatever a collector thinks of its name

    def __init__(self, temp_dir: str) -> None:
        self.temp_dir = temp_dir
        self.artifact_list: list = []
        self.session_var: Dict[str, str] = {}

    execution_id = property(lambda self: "test_execution")
    session_id = property(lambda self: "test_session")
    env_id = property(lambda self: "test_env")

    def add_artifact(self, name, file_name, type, val, desc=None, **kwargs):
        artifact_id, path = self.create_artifact_path(name, file_name, type, desc or "")
        with open(path, "w", encoding="utf-8") as file:
            file.write(val.to_csv(index=False) if type == "df" else str(val))
        return artifact_id

    def create_artifact_path(self, name, file_name, type, desc="", **kwargs):
        artifact_id = f"test_artifact_{len(self.artifact_list):04x}"
        path = os.path.join(self.temp_dir, f"{artifact_id}_{file_name}")
        self.artifact_list.append({"id": artifact_id, "name": name, "type": type, "desc": desc, "path": path})
        return artifact_id, path

    def get_session_var(self, variable_name, default=None):
        return self.session_var.get(variable_name, default)

    def set_session_var(self, variable_name, value):
        self.session_var[variable_name] = str(value)

    def call_edge(self, name, args, kwargs):
        raise RuntimeError(f"{name} runs outside of the sandbox, which a test context can't reach")

    def log(self, level, tag, message):
        print(f"[{level}] {tag}: {message}")

    def get_env(self, plugin_name, variable_name):
        return os.environ[f"PLUGIN_{plugin_name}_{variable_name}"]


@contextlib.contextmanager
def temp_context(workspace: Optional[str] = None) -> Iterator[TestPluginContext]:
    with tempfile.TemporaryDirectory(dir=workspace) as temp_dir:
        yield TestPluginContext(temp_dir)
