import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { descendants, startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// Each probe leaves its loot in `loot`. What it may find there is listed beside it; nothing else of the host.
const marker = "HOST-SECRET-7f3a";
let sandbox: Sandbox;
let listener: Server;
let connections = 0;
let port = 0;
let bystander: TestContext;
let attacked: TestContext | undefined;

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.end(marker);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  port = (listener.address() as AddressInfo).port;
  sandbox = await startSandbox({ env: { HOST_SECRET: marker } });
  await writeFile(join(sandbox.stateDir, "secret.txt"), marker);
  bystander = await sandbox.context();
  await bystander.run("mine = 'untouched'");
});
afterAll(async () => {
  listener.close();
  await sandbox[Symbol.asyncDispose]();
});

/** Whatever was tried: nobody connected, the server and a bystander live; new ones do where the attacked one ended. */
async function expectUnharmed(): Promise<void> {
  expect(connections).toBe(0);
  expect(await readdir(sandbox.stateDir)).not.toContain("stolen.txt");
  expect((await bystander.run("mine")).result).toBe("'untouched'");
}

const probes: Record<string, string> = {
  "os.system": `import os\nloot = os.system('cat SECRET > stolen.txt')`,
  "os.popen": `import os\nloot = os.popen('cat SECRET').read()`,
  subprocess: `import subprocess\nloot = subprocess.run(['cat', 'SECRET'], capture_output=True).stdout.decode()`,
  "os.execv": `import os\nloot = os.execv('/bin/cat', ['cat', 'SECRET'])`,
  "ctypes system": `import ctypes\nloot = ctypes.CDLL(None).system(b'cat SECRET > stolen.txt')`,
  "ctypes run_script": `import ctypes\nloot = ctypes.CDLL(None).emscripten_run_script_string(b'process.env.HOST_SECRET')`,
  "js.process.env": `import js\nloot = str(js.process.env.HOST_SECRET)`,
  "pyodide_js.mountNodeFS": `import pyodide_js, os\nos.makedirs('/h', exist_ok=True)\npyodide_js.mountNodeFS('/h', 'STATE')\nloot = open('/h/secret.txt').read()`,
  "mount of the parent": `import pyodide_js, os\nos.makedirs('/h', exist_ok=True)\nroot = pyodide_js.FS.lookupPath('/workspace').node.mount.opts.root\npyodide_js.mountNodeFS('/h', root + '/../..')\nloot = str(os.listdir('/h'))`,
  "path behind the link": `import pyodide_js\nroot = pyodide_js.FS.lookupPath('/workspace').node.mount.opts.root\npyodide_js.FS.mkdir('/h2')\npyodide_js.FS.mount(pyodide_js.FS.filesystems.NODEFS, __import__('pyodide').ffi.to_js({'root': root + '/../../../secret.txt'}), '/h2')\nimport os\nloot = open('/h2').read()`,
  run_js: `from pyodide.code import run_js\nloot = str(run_js('process.env.HOST_SECRET'))`,
  "constructor of an array": `from pyodide.ffi import to_js\nloot = str(to_js([1]).constructor.constructor('return process.env.HOST_SECRET')())`,
  "constructor of an async function": `import pyodide_js\nf = pyodide_js.loadPackage.constructor('return import("node:fs")')\nm = await f()\nloot = m.readFileSync('SECRET', 'utf8')`,
  "constructor of an error": `from pyodide.ffi import to_js, JsException\ntry: to_js([1]).reduce(1)\nexcept JsException as e: loot = str(e.constructor.constructor('return process')().env.HOST_SECRET)`,
  getBuiltinModule: `import js\nloot = js.process.getBuiltinModule('node:fs').readFileSync('SECRET', 'utf8')`,
  "process of a child": `import js\nloot = js.process.getBuiltinModule('node:child_process').execSync('cat SECRET').toString()`,
  pyfetch: `from pyodide.http import pyfetch\nr = await pyfetch('http://127.0.0.1:PORT/')\nloot = await r.string()`,
  "js.fetch": `import js\nr = await js.fetch('http://127.0.0.1:PORT/')\nloot = await r.text()`,
  urllib: `import urllib.request\nloot = urllib.request.urlopen('http://127.0.0.1:PORT/', timeout=2).read().decode()`,
  socket: `import socket\ns = socket.create_connection(('127.0.0.1', PORT), timeout=2)\ns.send(b'GET / HTTP/1.0\\r\\n\\r\\n')\nloot = s.recv(100).decode()`,
  useNodeSockFS: `import pyodide_js\nawait pyodide_js.useNodeSockFS()\nimport socket\ns = socket.create_connection(('127.0.0.1', PORT), timeout=2)\ns.send(b'x')\nloot = s.recv(100).decode()`,
  WebSocket: `import js\nw = js.WebSocket.new('ws://127.0.0.1:PORT/')\nimport time; time.sleep(0.3)\nloot = 'opened' if w.readyState < 2 else ''`,
  "a file of the host": `loot = open('SECRET').read()`,
  "the host's accounts": `loot = open('/etc/passwd').read()`,
  "the environment of the host": `loot = open('/proc/self/environ').read()`,
  "the environment of the process": `import os\nloot = str([value for value in os.environ.values() if 'work' in value or 'SECRET' in value])`,
  "a symbolic link": `import os\nos.symlink('SECRET', 'link.txt')\nloot = open('link.txt').read()`,
  "a link made by Emscripten": `import pyodide_js\npyodide_js.FS.symlink('SECRET', '/workspace/link.txt')\nloot = pyodide_js.FS.readFile('/workspace/link.txt')`,
  "a path above": `loot = open('../../../secret.txt').read() + open('/workspace/../../secret.txt').read()`,
  "another engine's signal": `import os, signal\nloot = os.kill(os.getppid(), signal.SIGKILL)`,
};

test.each(Object.keys(probes))("%s gets nothing", async (name) => {
  const code = probes[name]!.replaceAll("SECRET'", `${join(sandbox.stateDir, "secret.txt")}'`)
    .replaceAll("HOST_" + join(sandbox.stateDir, "secret.txt"), "HOST_SECRET")
    .replaceAll("cat SECRET", `cat ${join(sandbox.stateDir, "secret.txt")}`)
    .replaceAll("STATE", sandbox.stateDir)
    .replaceAll("PORT", String(port));
  // Probes follow each other in one context until one of them ends it; then the next one gets a new one.
  attacked ??= await sandbox.context();
  const context = attacked;
  expect((await context.run("loot = None\n6 * 7")).result).toBe("42");
  const outcome = await context.run(code, { timeout_ms: 3000 });
  const all = JSON.stringify(outcome.events);
  expect(all).not.toContain(marker);
  // A probe that ends well must have come back empty-handed: nothing, or the status of a command that didn't run.
  const empty = "'loot' not in globals() or loot in (None, '', '[]', 'None', 'undefined', 32512, 127)";
  expect((await context.run(empty)).result).toBe("True");
  expect(await (await sandbox.request(`${context.path}/files`)).json()).toEqual({ files: [] });
  if (outcome.lost) attacked = undefined;
  await expectUnharmed();
});

test("the boundary is the process: its flags grant nothing more than its files", async () => {
  const engines = (await descendants(sandbox.process.pid!)).map(async (pid) => ({
    flags: (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0"),
    environment: await readFile(`/proc/${pid}/environ`, "utf8"),
  }));
  const nodes = (await Promise.all(engines)).filter(({ flags }) => flags[0] === process.execPath);
  expect(nodes.length).toBeGreaterThan(0);
  for (const { flags, environment } of nodes) {
    expect(environment).toBe("");
    expect(flags).toContain("--permission");
    expect(flags).toContain("--disallow-code-generation-from-strings");
    const granted = flags.filter((flag) => flag.startsWith("--allow"));
    expect(granted.filter((flag) => !/^--allow-fs-(read|write)=\/./.test(flag))).toEqual([]);
    const written = granted.filter((flag) => flag.startsWith("--allow-fs-write="));
    expect(written).toEqual([expect.stringMatching(/\/spaces\/[-0-9a-f]+\/files\/\*$/)]);
  }
});

test("another context's files are out of reach", async () => {
  const victim = await sandbox.context({ id: "victim" });
  await victim.file("private.txt", { method: "PUT", body: marker });
  const thief = await sandbox.context();
  const folders = await readdir(join(sandbox.stateDir, "sandbox/contexts"));
  for (const folder of folders) {
    const path = join(sandbox.stateDir, "sandbox/contexts", folder, "files");
    const code = `import pyodide_js, os\nos.makedirs('/h', exist_ok=True)\npyodide_js.mountNodeFS('/h', ${JSON.stringify(path)})\nopen('/h/private.txt').read()`;
    const outcome = await thief.run(code);
    expect(outcome.error?.message).toMatch(/does not exist|denied|restricted/);
  }
  await expectUnharmed();
});
