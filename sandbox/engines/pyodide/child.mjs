// The engine process: one Python session, on the main thread (Node's permission model doesn't reach into workers).
// Started by launch.ts with nearly nothing allowed. Commands come as JSON lines on stdin, events leave as JSON lines on
// stdout, file descriptor 3 is the interrupt file, 4 takes the memory of a session that is suspended. With stdin closed there is no server any more, and the process ends.
import fs from "node:fs";
import { createInterrupts } from "./interrupts.mjs";
import { afterLoad, beforeLoad } from "./lockdown.mjs";

const options = JSON.parse(process.argv[2]);
const INTERRUPT_FD = 3;
const MEMORY_FD = 4;
const MEBIBYTE = 1024 * 1024;
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
    _loadSnapshot: fs.readFileSync(options.snapshot),
    _makeSnapshot: true,
  });
  const interrupts = createInterrupts(INTERRUPT_FD, () => exit(71));
  pyodide.setInterruptBuffer(interrupts.buffer);
  pyodide.setStdin({ error: true });
  let command = new Uint8Array();
  registerDevice(pyodide.FS, () => command);
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

  onLines(process.stdin, (line) => {
    const message = JSON.parse(line);
    if (message.type === "suspend") return suspend();
    if (message.type === "open") {
      memoryLimit = message.memory_mb * MEBIBYTE;
      pyodide.FS.mkdirTree("/workspace");
      pyodide.mountNodeFS("/workspace", message.folder);
      pyodide.FS.chdir("/workspace");
    }
    call(message);
  });
}

/** /dev/taskweaver: Python reads the command from it and writes events, whole lines, which pass through unread. */
function registerDevice(FS, command) {
  let position = 0;
  const device = FS.makedev(64, 0);
  FS.registerDevice(device, {
    open() {
      position = 0;
    },
    close() {},
    read(_stream, buffer, offset, length) {
      const piece = command().subarray(position, position + length);
      buffer.set(piece, offset);
      position += piece.length;
      return piece.length;
    },
    write(_stream, buffer, offset, length) {
      writeAll(1, buffer.subarray(offset, offset + length));
      return length;
    },
  });
  FS.mkdev("/dev/taskweaver", device);
}

function onLines(stream, take) {
  const pieces = [];
  stream.on("data", (data) => {
    let start = 0;
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      const line = Buffer.concat([...pieces.splice(0), data.subarray(start, end)]).toString();
      start = end + 1;
      take(line);
    }
    if (start < data.length) pieces.push(data.subarray(start));
  });
  stream.on("end", () => exit(0));
  stream.on("error", () => exit(0));
}
