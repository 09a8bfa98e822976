// What this process must lose around loading Pyodide. The boundary is the process and Node's permission model (see
// launch.ts for its flags); what happens here keeps what is left of Node out of Python's reach, and keeps Pyodide from
// crashing on what the permissions refuse. Plain JavaScript: nothing may be loaded here that needs more than read
// access to this folder, and stripping types would want package.json files above it.
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const PAGE = 65536;

const REMOVED_FROM_PROCESS =
  "kill _kill binding _linkedBinding dlopen getBuiltinModule abort _debugProcess _debugEnd openStdin chdir setuid setgid " +
  "seteuid setegid setgroups initgroups umask report permission mainModule loadEnvFile execve setSourceMapsEnabled " +
  "_rawDebug moduleLoadList env argv execArgv execPath";
const REMOVED_FROM_GLOBAL = "fetch WebSocket EventSource XMLHttpRequest Worker BroadcastChannel navigator";

const commandNotFound = () => ({ status: 127, signal: null, stdout: "", stderr: "" });

/** Before Pyodide is loaded. `memoryLimit()` is asked at each growth, in bytes. */
export function beforeLoad(memoryLimit) {
  // A process that was started without its flags would be a shell for whoever writes the Python.
  const refused = ["net", "child", "worker", "addons", "wasi", "inspector", "ffi", "fs.write"];
  if (!process.permission || refused.some((scope) => process.permission.has(scope))) {
    process.stderr.write("The engine refuses to run without its permission flags.\n");
    process.exit(78);
  }
  // Emscripten's NODEFS asks for the fs constants through process.binding, which the permission model refuses.
  process.binding = () => ({ fs: fs.constants });
  // Emscripten's system() is spawnSync; refused by the permission model it would take the interpreter down.
  for (const name of ["spawnSync", "execSync", "execFileSync", "spawn", "exec", "execFile", "fork"]) {
    childProcess[name] = commandNotFound;
  }
  syncBuiltinESMExports();

  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > memoryLimit()) throw new RangeError("memory limit");
    return grow.call(this, pages);
  };
}

/** After Pyodide is loaded, before any code of a user. */
export function afterLoad() {
  for (const name of REMOVED_FROM_PROCESS.split(" ")) replace(process, name);
  for (const name of REMOVED_FROM_GLOBAL.split(" ")) replace(globalThis, name);
}

function replace(target, name) {
  try {
    Object.defineProperty(target, name, { value: undefined, writable: false, configurable: false });
  } catch {
    // Not configurable: Node protects it itself.
  }
}
