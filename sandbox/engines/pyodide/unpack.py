"""Unpacks wheels into one folder, and compiles them there: an interpreter may only read it."""

import compileall
import os
import py_compile
import zipfile


def unpack(wheel, target):
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            first, *rest = member.filename.split("/")
            if first.endswith(".data"):
                # Its parts go to places of their own; of these only the libraries are of use here.
                if len(rest) < 2 or rest[0] not in ("purelib", "platlib"):
                    continue
                member.filename = "/".join(rest[1:])
            archive.extract(member, target)


def unpack_all(folder, target):
    for name in sorted(os.listdir(folder)):
        try:
            unpack(os.path.join(folder, name), target)
        except zipfile.BadZipFile as error:
            raise SystemExit(f"{name} is no wheel: {error}")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(target, quiet=2, invalidation_mode=mode)
