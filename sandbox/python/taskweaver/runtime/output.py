import io
import threading
import time
from typing import Callable, List

CHUNK = 8 * 1024
MINIMUM_PAUSE = 0.05


class OutputBudget:
    """One cell's allowance of characters, shared by stdout and stderr."""

    def __init__(self, limit: int) -> None:
        self.left = limit
        self.dropped = 0

    def take(self, text: str) -> str:
        kept = text[: self.left]
        self.left -= len(kept)
        self.dropped += len(text) - len(kept)
        return kept


class OutputStream(io.TextIOBase):
    """Stands in for sys.stdout or sys.stderr. Gathers text and sends it in pieces; `tick` sends what waited long enough,
    so that a print before a long computation is seen while it runs. Threads, and signals within one, may write at a time."""

    def __init__(self, name: str, emit: Callable[[dict], None]) -> None:
        self.name = name
        self._emit = emit
        self.lock = threading.RLock()
        self._pieces: List[str] = []
        self._size = 0
        self._last_sent = 0.0
        self.budget = OutputBudget(0)

    encoding = "utf-8"
    errors = "backslashreplace"

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        raise io.UnsupportedOperation("fileno")

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        with self.lock:
            kept = self.budget.take(text)
            if kept:
                self._pieces.append(kept)
                self._size += len(kept)
                if self._size >= CHUNK:
                    self.flush()
        return len(text)

    def tick(self) -> None:
        if self._pieces and time.monotonic() - self._last_sent >= MINIMUM_PAUSE:
            self.flush()

    def flush(self) -> None:
        with self.lock:
            pieces, self._pieces, self._size = self._pieces, [], 0
            text = "".join(pieces)
            for start in range(0, len(text), 64 * CHUNK):
                self._emit({"type": self.name, "text": text[start : start + 64 * CHUNK]})
            self._last_sent = time.monotonic()
