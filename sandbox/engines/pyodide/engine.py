"""Imported as `taskweaver_engine` when the snapshot is built: what Pyodide needs around the runner."""

import asyncio
import errno
import json
import os
import random
import signal
import sys
import time
import warnings

from taskweaver.runtime import Runner
from taskweaver.runtime.errors import OUR_FOLDERS

DEVICE = "/dev/taskweaver"
ANSWERS = "/dev/taskweaver-answers"
WORKING_FOLDER = "/workspace"
PACKAGES = "/packages"
SLICE = 0.05

OUR_FOLDERS.append(__file__)
_sleep = time.sleep
_runner = None
_output = None


def sleep(seconds):
    """Pyodide's own sleep can't be interrupted, so it is taken in slices."""
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        _sleep(min(left, SLICE))


class _NoSelector:
    """There are no sockets to wait for, so an event loop only ever waits for its next timer."""

    def select(self, timeout):
        if timeout is None:
            raise RuntimeError("asyncio would wait forever: nothing here can wake it")
        # Back after a slice at the latest: an interrupt cancels the task, and the loop has to look.
        _sleep(min(max(timeout, 0), SLICE))
        return []

    def close(self):
        pass


class SynchronousLoop(asyncio.BaseEventLoop):
    """asyncio on Python's own time: `asyncio.run` and top-level await work, and can be interrupted like other code."""

    def __init__(self):
        super().__init__()
        self._selector = _NoSelector()

    def _process_events(self, events):
        pass

    def _write_to_self(self):
        pass


def run(main, *, debug=None, loop_factory=None):
    """Pyodide replaces `asyncio.run` by one that needs the browser's stack switching; this is CPython's again."""
    with asyncio.Runner(debug=debug, loop_factory=loop_factory or SynchronousLoop) as runner:
        return runner.run(main)


class _LoopPolicy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = SynchronousLoop


class _UserCode:
    """Entered around whatever the user wrote: only in here an interrupt is raised. In the middle of a report it would cost
    the session."""

    entered = False

    def __enter__(self):
        signal.signal(signal.SIGINT, self.on_signal)  # again: the user's code may have put in its own
        self.entered = True

    def __exit__(self, *_):
        self.entered = False

    def on_signal(self, _number, frame):
        if self.entered and (frame is None or frame.f_code is not _UserCode.__exit__.__code__):
            raise KeyboardInterrupt


def _no_links(*_args, **_kwargs):
    # The permissions refuse links, and Emscripten would keep that to itself.
    raise PermissionError(errno.EPERM, "Links can't be made here")


def _emit(event):
    os.write(_output, json.dumps(event).encode() + b"\n")


def _receive():
    """Opening waits a moment for a message, outside of Python: an interrupt is noticed between two of them."""
    with open(ANSWERS, "rb", buffering=0) as device:
        message = device.readall()
    return json.loads(message) if message else None


def handle():
    with open(DEVICE, "rb", buffering=0) as device:
        command = json.loads(device.readall())
    # Pyodide claims that its browser loop runs all the time, which keeps any other from running.
    asyncio._set_running_loop(None)
    if command["type"] == "open":
        _resume() if command["resumed"] else _open()
    elif command["type"] == "configure":
        _emit(_runner.configure(command["context_id"], command.get("plugins"), command.get("variables")))
    elif command["type"] == "run":
        _emit(_runner.run(command["execution_id"], command["index"], command["code"]))


def _open():
    global _runner
    # The snapshot has frozen one state of the generator; each session needs its own.
    random.seed()
    time.sleep = sleep
    os.symlink = os.link = _no_links
    os.environ.clear()
    os.environ.update(HOME="/home/pyodide", LANG="C.UTF-8", MPLCONFIGDIR="/tmp")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        asyncio.set_event_loop_policy(_LoopPolicy())
    asyncio.run = asyncio.runners.run = run
    if os.path.isdir(PACKAGES):
        sys.dont_write_bytecode = True
        sys.path.append(PACKAGES)
    _connect()
    _runner = Runner(_emit, WORKING_FOLDER, _UserCode(), _receive)


def _resume():
    """The memory came from a suspended session; open files did not, and two sessions never share a random sequence."""
    random.seed()
    _connect()


def _connect():
    global _output
    os.chdir(WORKING_FOLDER)
    _output = os.open(DEVICE, os.O_WRONLY)
    signal.signal(signal.SIGUSR1, lambda *_: _runner.tick())
