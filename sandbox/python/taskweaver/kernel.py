"""Cells run by somebody else's IPython kernel: what an engine's process is to the sandbox server, this is to drivers that
only have a kernel. Requests come as calls of `handle`, events leave as displays of a MIME type of our own and are kept in
files, so that a driver that lost the connection finds them there."""

import asyncio
import hashlib
import json
import os
import signal
import sys
import threading
import time
import uuid

from taskweaver.runtime import Runner
from taskweaver.runtime.errors import OUR_FOLDERS

MIME = "application/vnd.taskweaver.event+json"
TICK = 0.05
INSIST = 0.5
#: Larger ones are left to the file: what Jupyter lets through in a second is about as much.
MAXIMUM_SHOWN = 256 * 1024
OUR_FOLDERS.append(os.path.abspath(__file__))

_kernel = None


def handle(text, folder, store):
    global _kernel
    request = json.loads(text)
    if _kernel is None:
        if request["type"] != "open":
            return _publish({"type": "context_lost"})
        _kernel = Kernel(os.path.abspath(folder), os.path.abspath(store), request.get("opening"))
    if request["type"] == "open":
        _kernel.open(request)
    elif request["type"] == "run":
        _kernel.run(request)


def _publish(event):
    from IPython.display import publish_display_data

    publish_display_data({MIME: event})


class Kernel:
    """The interpreter's session, and the one execution that runs in it."""

    def __init__(self, folder, store, opening):
        os.environ["MPLBACKEND"] = "Agg"
        if "matplotlib" in sys.modules:
            sys.modules["matplotlib"].use("Agg")
        os.makedirs(os.path.join(store, "executions"), exist_ok=True)
        os.chdir(folder)
        self.store = store
        self.opening = opening
        self.generation = uuid.uuid4().hex
        self.log = None
        self.seq = 0
        self.sending = False
        self.entered = False
        self.deadline = None
        self.patience = 0.0
        self.runner = Runner(self.emit, folder, self, self.receive)
        self.plugins = []
        self.read = set()
        self.mark("running", False)
        with open(os.path.join(store, "generation"), "w") as file:
            file.write(self.generation)

    def open(self, request):
        configured = self.runner.configure(request["context_id"], request["plugins"], request["variables"])
        self.plugins = configured["plugins"]
        # Sent again because its answer was not heard, it is still what has made this interpreter.
        created = request.get("opening") == self.opening
        _publish({"type": "opened", "generation": self.generation, "created": created, "plugins": self.plugins})

    def run(self, request):
        execution_id = request["execution_id"]
        if request.get("generation") not in (None, self.generation):
            return _publish({"type": "context_lost"})
        self.name = hashlib.sha256(execution_id.encode()).hexdigest()[:40]
        path = os.path.join(self.store, "executions", self.name + ".ndjson")
        try:
            self.log = open(path, "x", encoding="utf-8")
        except FileExistsError:
            return _publish({"type": "known"})
        self.seq = 0
        loop = asyncio._get_running_loop()
        self.mark("running", True)
        try:
            self.execute(execution_id, request, len(os.listdir(os.path.dirname(path))))
        finally:
            asyncio._set_running_loop(loop)
            self.log.close()
            self.log = None
            self.mark("running", False)

    def execute(self, execution_id, request, index):
        started = time.monotonic()
        self.emit({"type": "started", "generation": self.generation})
        seconds = request["timeout_ms"] / 1000
        self.deadline = started + seconds
        self.patience = started
        # The kernel's loop runs this code, which would keep the code from running one of its own.
        asyncio._set_running_loop(None)
        self.runner.install_builtins()
        report = self.runner.run(execution_id, index, request["code"])
        stopped = "timeout" if time.monotonic() >= started + seconds else "interrupted"
        status = stopped if report["interrupted"] else report["status"]
        if "error" in report:
            self.emit({"type": "error", **_with_reason(report["error"], status, request["timeout_ms"])})
        self.emit({
            "type": "done", "status": status, "duration_ms": round((time.monotonic() - started) * 1000),
            "files_changed": report["files_changed"], "variables": report["variables"],
            **({"truncated": True} if report.get("truncated") else {}),
        })

    def emit(self, event):
        if self.log is None:  # plugins that print while they are loaded
            return
        main = threading.current_thread() is threading.main_thread()
        if main:
            self.sending = True
        try:
            self.seq += 1
            event = {**event, "seq": self.seq}
            text = json.dumps(event)
            self.log.write(text + "\n")
            self.log.flush()
            small = len(text) <= MAXIMUM_SHOWN
            _publish(event if small else {"type": "stored", "seq": self.seq})
        finally:
            if main:
                self.sending = False

    def receive(self):
        """Answers to calls are put into the store, a file each."""
        waited = 0.0
        while waited < TICK:
            folder = os.path.join(self.store, "answers-" + self.name)
            for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
                path = os.path.join(folder, name)
                if path in self.read:
                    continue
                try:
                    with open(path, encoding="utf-8") as file:
                        answer = json.load(file)
                except (OSError, ValueError):
                    continue  # being written
                self.read.add(path)
                self.emit({"type": "answered", "call_id": answer.get("call_id")})
                return answer
            time.sleep(0.01)
            waited += 0.01
        return None

    def __enter__(self):
        """Around whatever the user wrote: only in here an interrupt is raised."""
        self.before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGALRM)}
        signal.signal(signal.SIGINT, self.on_interrupt)
        signal.signal(signal.SIGALRM, self.on_tick)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        self.entered = True

    def __exit__(self, *_):
        self.entered = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.deadline = None
        # What comes late must not end what follows; the kernel's own handler comes back with its next request.
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, self.before[signal.SIGINT])

    def mark(self, name, there):
        """A file with the execution's name says that it runs: what a host knows of its kernels it knows late."""
        path = os.path.join(self.store, name)
        if there:
            with open(path + ".new", "w") as file:
                file.write(self.name)
            os.replace(path + ".new", path)
        elif os.path.exists(path):
            os.remove(path)

    def is_to_stop(self):
        """An interrupt names its execution: one that comes late is for nobody."""
        try:
            with open(os.path.join(self.store, "interrupt"), encoding="utf-8") as file:
                return file.read() == self.name
        except (OSError, ValueError):
            return False

    def on_interrupt(self, _number, _frame):
        if not self.entered:
            return
        if self.sending:
            self.deadline = 0  # at the next tick
        else:
            raise KeyboardInterrupt

    def on_tick(self, _number, _frame):
        if not self.entered or self.sending:
            return
        self.runner.tick()
        now = time.monotonic()
        if self.deadline is not None and now >= self.deadline or now >= self.patience and self.is_to_stop():
            self.deadline = self.patience = now + INSIST
            raise KeyboardInterrupt


def _with_reason(error, status, timeout_ms):
    if status != "timeout":
        return error
    message = f"The code ran longer than {timeout_ms} ms and was stopped. Variables are kept."
    text = f"{error['traceback']}TimeoutError: {message}\n"
    return {"name": "TimeoutError", "message": message, "traceback": text}
