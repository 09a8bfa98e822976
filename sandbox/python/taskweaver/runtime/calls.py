import json
import threading
from typing import Any, Callable, Dict, Optional

Receive = Callable[[], Optional[Dict[str, Any]]]

MAXIMUM_CALL = 1_000_000
#: What an answer may name as its error; anything else is an EdgePluginError.
KNOWN_ERRORS = {error.__name__: error for error in (TimeoutError, TypeError, ValueError, PermissionError)}


class EdgePluginError(RuntimeError):
    """A plugin that runs outside of the sandbox could not do what it was asked."""


class OutsideCalls:
    """Calls from the interpreter to plugins outside of it: one event out, one message back. One at a time; the cell's
    deadline and interrupts hold while it waits."""

    def __init__(self, emit: Callable[[Dict[str, Any]], None], receive: Optional[Receive]) -> None:
        self.emit = emit
        self._receive = receive
        # An interrupt may come between taking it and letting go: then the same thread must be able to take it again.
        self._lock = threading.RLock()
        self._count = 0

    def call(self, name: str, args: Any, kwargs: Any) -> Any:
        if self._receive is None:
            raise EdgePluginError(f"{name} runs outside of the sandbox, which can't be reached from this one")
        values = _plain({"args": list(args), "kwargs": dict(kwargs)}, name)
        with self._lock:
            self._count += 1
            call_id = f"call-{self._count}"
            self.emit({"type": "call", "call_id": call_id, "name": name, **values})
            while True:
                answer = self._receive()
                # The answer to a call that was given up may come late.
                if answer is not None and answer.get("call_id") == call_id:
                    break
        if answer.get("error") is not None:
            raise _error_of(answer["error"], name)
        return answer.get("value")


def _plain(values: Dict[str, Any], name: str) -> Dict[str, Any]:
    try:
        text = json.dumps(values, default=_convert, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"{name} takes numbers, texts, lists and dicts only: {error}") from None
    if len(text) > MAXIMUM_CALL:
        raise ValueError(f"{name} takes at most {MAXIMUM_CALL} characters of arguments, not {len(text)}")
    return json.loads(text)


def _convert(value: Any) -> Any:
    """Values of numpy and pandas, dates and sets, as JSON has them."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if type(value).__name__ == "DataFrame":
        return value.to_dict("records")
    for method in ("tolist", "item", "isoformat"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"{type(value).__name__} is none of these")


def _error_of(error: Any, name: str) -> Exception:
    if not isinstance(error, dict):
        return EdgePluginError(f"{name}: {error}")
    return KNOWN_ERRORS.get(str(error.get("name")), EdgePluginError)(f"{name}: {error.get('message', 'failed')}")
