"""Run in the jail when the server starts: what there is in there, as JSON."""

import importlib.metadata
import importlib.util
import json
import platform


def version(package):
    if importlib.util.find_spec(package) is None:
        return None
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


packages = {package: version(package) for package in ("numpy", "pandas", "matplotlib")}
print(json.dumps({"python": platform.python_version(), "packages": packages}))
