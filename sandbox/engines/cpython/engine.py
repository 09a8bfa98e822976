"""The engine process under the system's Python. Commands come as JSON lines on file descriptor 0, messages leave on 1."""

import codecs
import json
import os
import queue
import random
import select
import signal
import sys
import threading
import time

TICK = 0.05
INSIST = 0.5
OPTIONS = json.loads(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [OPTIONS["python_folder"], HERE]

import taskweaver.plugin.utils  # noqa: E402, F401  (now, as the folder may be closed to the user that runs the code)
from limits import drop_privileges, hold_reserve, limit_resources  # noqa: E402
from taskweaver.runtime import Runner  # noqa: E402
from taskweaver.runtime.errors import OUR_FOLDERS  # noqa: E402

sys.path.remove(HERE)
OUR_FOLDERS.append(HERE + os.sep)

MAIN = threading.get_ident()


class Channel:
    """Messages to the server. Whole lines, whichever thread sends them and whatever interrupts it."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.lock = threading.Lock()
        self.sending = False
        self.interrupted = False

    def send(self, message):
        if self.descriptor is None:  # a forked child's word is not the interpreter's
            return
        main = threading.get_ident() == MAIN
        data = memoryview(json.dumps(message).encode() + b"\n")
        if main:
            self.sending = True
        try:
            with self.lock:
                while data:
                    data = data[os.write(self.descriptor, data) :]
        except OSError:
            os._exit(70)  # the server is gone
        finally:
            if main:
                self.sending = False
        if main and self.interrupted:
            self.interrupted = False
            raise KeyboardInterrupt


class Captured:
    """What is written to file descriptors 1 and 2 past sys.stdout: by child processes and by C code."""

    def __init__(self, stream):
        self.stream = stream
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.read_end, self.write_end = os.pipe()
        os.set_blocking(self.read_end, False)
        self.lock = threading.Lock()

    def drain(self):
        with self.lock:
            # As much as a pipe holds; whoever writes faster than this is read again later.
            for _ in range(32):
                try:
                    data = os.read(self.read_end, 65536)
                except OSError:
                    return
                self.stream.write(self.decoder.decode(data))


class UserCode:
    """Entered around whatever the user wrote: only in here an interrupt is raised. The processes that the code started
    end with it."""

    def __enter__(self):
        signal.signal(signal.SIGINT, self.on_signal)  # again: the user's code may have put in its own
        hold_reserve(True)
        self.entered = True

    def __exit__(self, *_):
        self.entered = False
        channel.interrupted = False
        hold_reserve(False)
        end_children()
        for each in captured:
            each.drain()

    def on_signal(self, _number, frame):
        if not self.entered or forked or frame.f_code is UserCode.__exit__.__code__:
            return
        if channel.sending:
            channel.interrupted = True
        else:
            raise KeyboardInterrupt


class Control(threading.Thread):
    """Reads commands and what was captured, sends waiting output, and interrupts the main thread: at its deadline, or
    when the server says so. Repeated until the code ends, because `except:` in a loop is a habit of model-written code."""

    def __init__(self, descriptor):
        super().__init__(name="taskweaver-control", daemon=True)
        self.descriptor = descriptor
        self.commands = queue.SimpleQueue()
        self.answers = queue.SimpleQueue()
        self.deadline = None
        self.buffered = b""

    def run(self):
        while True:
            try:
                self.look()
            except MemoryError:  # the user's code has all of it, until it ends
                time.sleep(TICK)

    def look(self):
        sources = [self.descriptor, *(each.read_end for each in captured)]
        readable = select.select(sources, [], [], TICK if self.deadline else None)[0]
        for each in captured:
            if each.read_end in readable:
                each.drain()
        if self.descriptor in readable:
            data = os.read(self.descriptor, 65536)
            if not data:
                os._exit(0)  # no server any more
            *lines, self.buffered = (self.buffered + data).split(b"\n")
            for line in lines:
                self.take(json.loads(line))
        runner.tick()
        if self.deadline and time.monotonic() >= self.deadline:
            self.deadline = time.monotonic() + INSIST
            signal.pthread_kill(MAIN, signal.SIGINT)

    def take(self, command):
        if command["type"] == "interrupt":
            if self.deadline:
                self.deadline = time.monotonic()
            return
        if command["type"] == "answer":
            self.answers.put(command)
            return
        self.deadline = time.monotonic() + command["timeout_ms"] / 1000
        self.commands.put(command)


def receive():
    if forked:
        raise RuntimeError("A forked process can't call plugins that run outside of the sandbox")
    try:
        return control.answers.get(timeout=TICK)
    except queue.Empty:
        return None


def end_children():
    """Only where every process that a signal of ours can reach is a child of this context's code."""
    if not OPTIONS["alone"] or forked:
        return
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        return  # there is no other process
    try:
        while True:
            os.waitpid(-1, 0)
    except OSError:
        pass  # none is left


def in_forked_child():
    """A child of `os.fork` goes on in the user's code with plain output, and never gets further than its end."""
    global forked
    if forked:
        return
    forked = True
    for descriptor in (channel.descriptor, control.descriptor):
        os.close(descriptor)
    channel.descriptor = None
    runner.stdout.lock = runner.stderr.lock = threading.RLock()
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def handle(command):
    if command["type"] == "configure":
        channel.send(runner.configure(command["context_id"], command.get("plugins"), command.get("variables")))
    elif command["type"] == "run":
        channel.send(runner.run(command["execution_id"], command["index"], command["code"]))


forked = False
commands, messages = os.dup(0), os.dup(1)
nothing = os.open(os.devnull, os.O_RDWR)
os.dup2(nothing, 0)
sys.stdin.close()
os.umask(0o022)
os.chdir(OPTIONS["folder"])
channel = Channel(messages)
user_code = UserCode()
user_code.entered = False
runner = Runner(channel.send, OPTIONS["folder"], user_code, receive)
captured = [Captured(runner.stdout), Captured(runner.stderr)]
drop_privileges(OPTIONS["uid"])
limit_resources(OPTIONS)
control = Control(commands)
os.register_at_fork(after_in_child=in_forked_child)
control.start()
random.seed()
channel.send({"type": "ready"})
os.dup2(captured[0].write_end, 1)
os.dup2(captured[1].write_end, 2)

while True:
    command = control.commands.get()
    handle(command)
    if forked:
        sys.stdout.flush()
        os._exit(0)
    control.deadline = None
    channel.send({"type": "idle"})
