import base64
import collections
import reprlib
import types
from typing import Any, Dict, List

MAXIMUM_TEXT = 100_000
MAXIMUM_MIME = 8 * 1024 * 1024
MAXIMUM_VARIABLES = 50
RICH = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_latex_", "text/latex"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_json_", "application/json"),
)
#: How much of each kind an abridged repr shows.
ABRIDGED = {"level": 6, "long": 100} | dict.fromkeys(
    ("list", "tuple", "set", "frozenset", "dict", "deque", "array", "string", "other"), 500
)
CONTAINERS = (list, tuple, set, frozenset, collections.deque)
BUFFERS = (bytes, bytearray, memoryview)


def repr_text(value: Any) -> str:
    """Python's repr, of bounded length. A value too large is cut before its repr is made: the whole of it may not fit
    the interpreter's memory, and a heap that has grown never shrinks again."""
    try:
        if isinstance(value, (str, *BUFFERS)) and len(value) > MAXIMUM_TEXT:
            shown = value[:MAXIMUM_TEXT] if isinstance(value, str) else bytes(value[: MAXIMUM_TEXT // 4])
            return f"{shown!r}… {len(value) - len(shown)} more"
        if _weight(value, MAXIMUM_TEXT) > MAXIMUM_TEXT:
            return _abridged(value)
        text = repr(value)
    except Exception as error:
        return f"<{_type_name(value)}: its repr raised {type(error).__name__}: {str(error)[:500]}>"
    if len(text) > MAXIMUM_TEXT:
        return text[:MAXIMUM_TEXT] + f"… {len(text) - MAXIMUM_TEXT} more characters"
    return text


def mime_bundle(value: Any) -> Dict[str, str]:
    """The rich forms that the value offers; binary ones as base64. One that fails or is too large is left out."""
    bundle: Dict[str, str] = {}
    for method_name, mime in RICH:
        method = getattr(type(value), method_name, None)
        if method is None:
            continue
        try:
            data = method(value)
            if isinstance(data, tuple):
                data = data[0]
            if isinstance(data, (bytes, bytearray)):
                data = base64.b64encode(data).decode()
            elif mime == "application/json" and data is not None and not isinstance(data, str):
                import json

                data = json.dumps(data)
        except Exception:
            continue
        if isinstance(data, str) and len(data) <= MAXIMUM_MIME:
            bundle[mime] = data
    return bundle


def summarise_variables(namespace: Dict[str, Any], hidden: set) -> List[Dict[str, str]]:
    """What the session holds, without calling any code of the user."""
    found = []
    for name, value in list(namespace.items()):
        if name.startswith("_") or name in hidden or isinstance(value, types.ModuleType):
            continue
        found.append({"name": name, "type": _type_name(value), "summary": _summary(value)})
    return found[-MAXIMUM_VARIABLES:]


def _summary(value: Any) -> str:
    if isinstance(value, (types.FunctionType, type)):
        return ""
    if type(value) in (int, float, complex, bool, type(None)):
        try:
            return repr(value)[:80]
        except ValueError:  # an int with more digits than Python is willing to print
            return f"{value.bit_length()} bits"
    if type(value) is str:
        return repr(value if len(value) <= 60 else value[:60] + "…")
    module = type(value).__module__.partition(".")[0]
    if module in ("pandas", "numpy") and hasattr(value, "shape"):
        return f"shape {tuple(value.shape)}"
    if isinstance(value, (dict, *CONTAINERS, *BUFFERS)):
        return f"{len(value)} items"
    return ""


def _weight(value: Any, budget: int) -> int:
    """Roughly how many characters a repr would take; stops counting at the budget."""
    weight = 0
    waiting = [value]
    seen = set()
    while waiting and weight <= budget:
        item = waiting.pop()
        weight += 2
        if isinstance(item, (str, *BUFFERS)):
            weight += len(item)
        elif isinstance(item, int):
            weight += item.bit_length() // 3
        elif isinstance(item, (dict, *CONTAINERS)):
            if id(item) in seen:
                continue
            seen.add(id(item))
            weight += 2 * len(item)
            if weight <= budget:
                waiting.extend(item)
                if isinstance(item, dict):
                    waiting.extend(item.values())
        elif type(item).__module__ == "array":
            weight += 4 * len(item)
    return weight


def _abridged(value: Any) -> str:
    if isinstance(value, int):
        return f"<int of {value.bit_length()} bits>"
    short = reprlib.Repr()
    for kind, length in ABRIDGED.items():
        setattr(short, f"max{kind}", length)
    text = short.repr(value)[:MAXIMUM_TEXT]
    return f"{text} ({len(value)} items, not all shown)" if hasattr(value, "__len__") else text


def _type_name(value: Any) -> str:
    return type(value).__name__
