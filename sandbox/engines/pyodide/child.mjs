// The engine process: one Python session, on the main thread (Node's permission model doesn't reach into workers).
// Started by launch.ts with nearly nothing allowed. Commands come as JSON lines on stdin, events leave as JSON lines on
// stdout, file descriptor 3 is the interrupt file, 4 takes the memory of a session that is suspended. With stdin closed there is no server any more, and the process ends.
import fs from "node:fs";
import { makeRoomFor } from "./grown-memory.mjs";
import { createInterrupts } from "./interrupts.mjs";
import { createLineReader } from "./lines.mjs";
import { afterLoad, beforeLoad } from "./lockdown.mjs";

const options = JSON.parse(process.argv[2]);
const INTERRUPT_FD = 3;
const MEMORY_FD = 4;
const MEBIBYTE = 1024 * 1024;
const ANSWER_WAIT_MS = 20;
const WRITE_ONLY = 1;
const FOLDER_MODE = 0o40755;
const exit = process.reallyExit.bind(process);
let memoryLimit = options.memory_mb * MEBIBYTE;

const pause = new Int32Array(new SharedArrayBuffer(4));
function writeAll(fd, bytes) {
  for (let start = 0; start < bytes.length;) {
    try {
      start += fs.writeSync(fd, bytes, start);
    } catch (error) {
      if (error.code !== "EAGAIN") exit(70); // the server is gone
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}
const send = (message) => writeAll(1, Buffer.from(`${JSON.stringify(message)}\n`));

beforeLoad(() => memoryLimit);
const { loadPyodide } = await import(options.pyodide + "pyodide.mjs");
const silent = { jsglobals: {}, stdout() {}, stderr() {} };

if (options.build) await buildSnapshot();
else await serve();

/** Loads Pyodide, lets Python import the runner, and writes the memory to file descriptor 3. */
async function buildSnapshot() {
  const pyodide = await loadPyodide({ ...silent, _makeSnapshot: true });
  for (const { path, text } of options.build.files) {
    const target = `${options.build.folder}/${path}`;
    pyodide.FS.mkdirTree(target.slice(0, target.lastIndexOf("/")));
    pyodide.FS.writeFile(target, text);
  }
  pyodide.runPython(options.build.program);
  writeAll(INTERRUPT_FD, pyodide.makeMemorySnapshot());
  exit(0);
}

async function serve() {
  const pyodide = await loadPyodide({
    ...silent,
    _loadSnapshot: makeRoomFor(fs.readFileSync(options.snapshot)),
    _makeSnapshot: true,
  });
  const interrupts = createInterrupts(INTERRUPT_FD, () => exit(71));
  pyodide.setInterruptBuffer(interrupts.buffer);
  pyodide.setStdin({ error: true });
  let command = new Uint8Array();
  const lines = createLineReader(() => exit(0));
  registerDevice(pyodide.FS, "/dev/taskweaver", 0, () => command);
  // Python reads what the server answers to its calls while it runs, when nothing else here can.
  registerDevice(pyodide.FS, "/dev/taskweaver-answers", 1, () =>
    Buffer.from(lines.wait(ANSWER_WAIT_MS) ?? ""),
  );
  const { runPython } = pyodide;
  afterLoad();
  send({ type: "ready" });

  /** Everything between Python and here is text through one device: a live proxy of either side on the other would make
   *  a memory snapshot impossible. */
  function call(message) {
    command = Buffer.from(JSON.stringify(message));
    interrupts.arm(message.timeout_ms, message.type !== "open");
    try {
      runPython("import taskweaver_engine as _engine; _engine.handle()");
    } catch (error) {
      send({ type: "fatal", message: String(error?.message ?? error).slice(-2000) });
      exit(70);
    }
    interrupts.disarm();
    send({ type: "idle" });
  }

  /** Refused by Pyodide while Python holds an object of JavaScript. The session goes on in that case. */
  function suspend() {
    try {
      writeAll(MEMORY_FD, pyodide.makeMemorySnapshot());
      send({ type: "suspended" });
    } catch {
      send({ type: "refused" });
    }
    send({ type: "idle" });
  }

  lines.follow((line) => {
    const message = JSON.parse(line);
    // To a call that nobody waits for any more.
    if (message.type === "answer") return;
    if (message.type === "suspend") return suspend();
    if (message.type === "open") {
      memoryLimit = message.memory_mb * MEBIBYTE;
      pyodide.FS.mkdirTree("/workspace");
      pyodide.mountNodeFS("/workspace", message.folder);
      hideLink(pyodide.FS.lookupPath("/workspace").node);
      pyodide.FS.chdir("/workspace");
    }
    call(message);
  });
}

/** The folder is reached by a link on the server's side. To Python it is a folder: SQLite, which follows links, can't read
 *  that one. */
function hideLink(root) {
  const { getattr } = root.node_ops;
  root.node_ops = { ...root.node_ops, getattr: (node) => ({ ...getattr(node), mode: FOLDER_MODE }) };
}

/** A device: opened, Python reads one message from it; what it writes are events, whole lines, which pass through
 *  unread. */
function registerDevice(FS, path, minor, nextMessage) {
  let position = 0;
  let message = new Uint8Array();
  const device = FS.makedev(64, minor);
  FS.registerDevice(device, {
    open(stream) {
      position = 0;
      if ((stream.flags & WRITE_ONLY) === 0) message = nextMessage();
    },
    close() {},
    read(_stream, buffer, offset, length) {
      const piece = message.subarray(position, position + length);
      buffer.set(piece, offset);
      position += piece.length;
      return piece.length;
    },
    write(_stream, buffer, offset, length) {
      writeAll(1, buffer.subarray(offset, offset + length));
      return length;
    },
  });
  FS.mkdev(path, device);
}
