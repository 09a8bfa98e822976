// The engine process: one Python session, on the main thread (Node's permission model doesn't reach into workers).
// Started by launch.ts with nearly nothing allowed. Commands come as JSON lines on stdin, events leave as JSON lines on
// stdout, file descriptor 3 is the interrupt file, 4 takes the memory of a session that is suspended. With stdin closed there is no server any more, and the process ends.
import fs from "node:fs";
import { makeRoomFor } from "./grown-memory.mjs";
import { createInterrupts } from "./interrupts.mjs";
import { createLineReader } from "./lines.mjs";
import { afterLoad, beforeLoad } from "./lockdown.mjs";
import { hideLink, mountFolder, showReadOnly } from "./mounts.mjs";

const options = JSON.parse(process.argv[2]);
const INTERRUPT_FD = 3;
const MEMORY_FD = 4;
const PACKAGES = "/packages";
const MEBIBYTE = 1024 * 1024;
const ANSWER_WAIT_MS = 20;
const WRITE_ONLY = 1;
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
else if (options.unpack) await unpackPackages();
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

/** Unpacks wheels into the only folder that this process may write. */
async function unpackPackages() {
  const { wheels, folder, program } = options.unpack;
  const pyodide = await loadPyodide(silent);
  const { FS } = pyodide;
  FS.mkdirTree("/wheels");
  for (const path of wheels)
    FS.writeFile(`/wheels${path.slice(path.lastIndexOf("/"))}`, fs.readFileSync(path));
  mountFolder(pyodide, PACKAGES, folder);
  try {
    pyodide.runPython(`${program}\nunpack_all("/wheels", "${PACKAGES}")`);
  } catch (error) {
    writeAll(1, Buffer.from(String(error.message).trim().split("\n").at(-1)));
    exit(1);
  }
  exit(0);
}

async function serve() {
  const pyodide = await loadPyodide({
    ...silent,
    _loadSnapshot: makeRoomFor(fs.readFileSync(options.snapshot)),
    _makeSnapshot: true,
  });
  if (options.packages) showReadOnly(mountFolder(pyodide, PACKAGES, options.packages));
  const { _module: emscripten } = pyodide;
  const countLibraries = () => Object.keys(emscripten.LDSO.loadedLibsByHandle).length;
  const ownLibraries = countLibraries();
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

  /** Refused by Pyodide while Python holds an object of JavaScript, and here when a package has brought machine code: that
   *  is no part of the memory. The session goes on in that case. */
  function suspend() {
    try {
      if (countLibraries() > ownLibraries) throw new Error("libraries are loaded");
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
      hideLink(mountFolder(pyodide, "/workspace", message.folder));
      pyodide.FS.chdir("/workspace");
    }
    call(message);
  });
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
