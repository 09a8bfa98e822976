import importlib.metadata
import importlib.util
import re
import sys
from typing import Dict, List, Optional

HARMLESS_OPTIONS = ("-q", "--quiet", "-U", "--upgrade")
REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[\w,.-]*\])?(?:([=<>~!]=|[<>])([\w.*+!,=<>~-]+))?")
#: What comes with any Python and is nothing to write a program with.
TOOLS = {"pip", "setuptools", "wheel", "distutils"}
LISTED = 60


class PackageUnavailableError(ImportError):
    """A `pip install` line names what isn't here, and nothing is brought from outside."""

    __module__ = "taskweaver"


def pip_install(line: str) -> None:
    """What follows `!pip install` or `%pip install`. All packages that may be used here are here already, so this only
    tells; one that isn't is an error that names those that are."""
    wanted = [word.strip("\"'") for word in line.split()]
    names = [word for word in wanted if word not in HARMLESS_OPTIONS]
    requirements = [(word, REQUIREMENT.fullmatch(word)) for word in names]
    strange = [word for word, match in requirements if not match]
    if strange or not names:
        why = f"{strange[0]!r} is no name" if strange else "the line has none"
        raise PackageUnavailableError(f"Only packages by their names can be asked for here, and {why}.")
    missing: List[str] = []
    for _, match in requirements:
        name, relation, version = match.groups()
        there = _version_of(name)
        if there is None:
            missing.append(name)
        elif relation == "==" and there and not _fits(there, version):
            print(f"{name} {there} is there already; no other version can be had here.")
        else:
            print(f"{name}{there and ' ' + there} is there already.")
    if missing:
        raise PackageUnavailableError(
            f"{', '.join(missing)} can't be installed here: there is no package index. {_describe_what_is_there()}"
        )


def _version_of(name: str) -> Optional[str]:
    """None when it isn't there; empty where it has no version of its own."""
    if name in getattr(sys, "stdlib_module_names", ()):
        return ""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        pass
    # Some are known by their module, as `sklearn` is.
    top = name.replace("-", "_")
    return "" if top.isidentifier() and importlib.util.find_spec(top) is not None else None


def _fits(there: str, wanted: str) -> bool:
    plain = wanted[:-2] if wanted.endswith(".*") else wanted
    return there == plain or there.startswith(plain + ".")


def _describe_what_is_there() -> str:
    found: Dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name and name.lower() not in TOOLS:
            found.setdefault(name, distribution.version)
    if not found:
        return "Only Python's own library is there: write it with that."
    names = sorted(found, key=str.lower)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    listed = ", ".join(f"{name} {found[name]}" for name in names[:LISTED])
    return f"Besides Python's own library there are: {listed}{more}. Use one of these, or plain Python."
