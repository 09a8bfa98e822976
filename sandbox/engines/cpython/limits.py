import os
import resource

MEBIBYTE = 1024 * 1024
#: What Python and a plotting library need for themselves.
BASE_MB = 128
#: What the user's code leaves for reporting that it has used up its memory, and for reading the next command.
RESERVE_MB = 64
OPEN_FILES = 256
PROCESSES = 64


def drop_privileges(uid):
    """Where the server is root, the code runs as a user of its own: the kernel exempts root from its limits."""
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def limit_resources(options):
    # Memory that is only mapped from files doesn't count, as libraries are large; shared mappings do in the second one.
    data = (options["memory_mb"] + BASE_MB + RESERVE_MB) * MEBIBYTE
    _limit(resource.RLIMIT_DATA, data)
    _limit(resource.RLIMIT_AS, 2 * data + 1024 * MEBIBYTE)
    _limit(resource.RLIMIT_FSIZE, options["disk_mb"] * MEBIBYTE + 4096)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)
    if options["alone"]:  # else it would count what other processes of this user have
        _limit(resource.RLIMIT_NPROC, PROCESSES)


def hold_reserve(held):
    """Keeps the reserve from the user's code, or gives it to ours."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = hard - RESERVE_MB * MEBIBYTE if held else hard
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _limit(kind, value):
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))
