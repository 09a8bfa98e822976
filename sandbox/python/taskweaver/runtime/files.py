import mimetypes
import os
from typing import Any, Dict, List, Tuple

MAXIMUM_FILES = 5000
LISTED_CHANGES = 200
KINDS = {
    "image": {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"},
    "svg": {".svg"},
    "html": {".html", ".htm"},
    "df": {".csv", ".tsv", ".parquet", ".xlsx", ".xls"},
    "txt": {".txt", ".md", ".log", ".json", ".yaml", ".yml", ".xml", ".py"},
}
MIME_FALLBACKS = {".md": "text/markdown", ".parquet": "application/vnd.apache.parquet", ".csv": "text/csv"}
TEXT_KINDS = {"txt", "df", "svg", "html", "chart"}

State = Dict[str, Tuple[int, int]]


def scan(folder: str) -> State:
    """path -> (size, mtime in ns) of the folder's regular files; hidden ones and caches are no one's result."""
    found: State = {}
    waiting = [""]
    while waiting and len(found) < MAXIMUM_FILES:
        inside = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(folder, inside)))
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name == "__pycache__" or entry.is_symlink():
                continue
            path = f"{inside}/{entry.name}" if inside else entry.name
            try:
                if entry.is_dir():
                    waiting.append(path)
                else:
                    status = entry.stat()
                    found[path] = (status.st_size, status.st_mtime_ns)
            except OSError:
                continue
    return found


def changes(before: State, after: State) -> List[Dict[str, Any]]:
    changed = [path for path, state in after.items() if before.get(path) != state]
    changed.sort(key=lambda path: (after[path][1], path))
    return [
        {"path": path, "size": after[path][0], "mtime": after[path][1] // 1_000_000} for path in changed[:LISTED_CHANGES]
    ]


def kind_of(path: str) -> str:
    extension = os.path.splitext(path)[1].lower()
    return next((kind for kind, extensions in KINDS.items() if extension in extensions), "file")


def mime_of(path: str) -> str:
    extension = os.path.splitext(path)[1].lower()
    return MIME_FALLBACKS.get(extension) or mimetypes.guess_type(path)[0] or "application/octet-stream"


def preview_of(folder: str, path: str, kind: str) -> str:
    if kind not in TEXT_KINDS or path.lower().endswith((".parquet", ".xlsx", ".xls")):
        return ""
    try:
        with open(os.path.join(folder, path), encoding="utf-8", errors="replace") as file:
            return file.read(100)
    except OSError:
        return ""
