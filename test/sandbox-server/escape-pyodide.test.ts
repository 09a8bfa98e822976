import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listen } from "./listener.ts";
import { writeWheel } from "../support/wheel.ts";
import { descendants, startSandbox } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// Each probe was seen to succeed on an engine without its permission flags and without lockdown.mjs: it leaves its loot in
// `loot`, or a file in the server's folder, or a connection. One that would fail there too proves nothing.
const marker = "HOST-SECRET-7f3a";
let sandbox: Sandbox;
let packages: string;
let bystander: TestContext;
let attacked: TestContext | undefined;

beforeAll(async () => {
  packages = await mkdtemp(join(tmpdir(), "packages-test-"));
  await writeWheel(packages, {
    name: "trusted",
    version: "1.0",
    files: { "trusted.py": "whose = 'ours'\n" },
  });
  sandbox = await startSandbox({ env: { HOST_SECRET: marker, SANDBOX_PACKAGES: packages } });
  await writeFile(join(sandbox.stateDir, "secret.txt"), marker);
  bystander = await sandbox.context();
  await bystander.run("mine = 'untouched'");
});
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]();
  await rm(packages, { recursive: true, force: true });
});

const root = "pyodide_js.FS.lookupPath('/workspace').node.mount.opts.root";
const packagesRoot = root.replace("/workspace", "/packages");
const node = (module: string) => `js.process.getBuiltinModule('node:${module}')`;

const probes: Record<string, string> = {
  "os.system": `import os\nos.system('cat {state}/secret.txt > {state}/stolen.txt')`,
  "ctypes system": `import ctypes\nctypes.CDLL(None).system(b'cat {state}/secret.txt > {state}/stolen.txt')`,
  "ctypes run_script": `import ctypes\nf = ctypes.CDLL(None).emscripten_run_script_string\nf.restype = ctypes.c_char_p\nloot = f(b'process.env.HOST_SECRET').decode()`,
  "js.process.env": `import js\nloot = str(js.process.env.HOST_SECRET)`,
  "pyodide_js.mountNodeFS": `import pyodide_js, os\nos.makedirs('/h', exist_ok=True)\npyodide_js.mountNodeFS('/h', '{state}')\nloot = open('/h/secret.txt').read()`,
  "mount of the parent": `import pyodide_js, os\nos.makedirs('/p', exist_ok=True)\npyodide_js.mountNodeFS('/p', ${root} + '/../..')\nloot = str(os.listdir('/p'))`,
  "packages, mounted for writing": `import pyodide_js, os\nos.makedirs('/q', exist_ok=True)\npyodide_js.mountNodeFS('/q', ${packagesRoot})\nopen('/q/trusted.py', 'w').write('whose = "theirs"')`,
  "packages, by Node": `import js, pyodide_js\n${node("fs")}.writeFileSync(${packagesRoot} + '/trusted.py', 'whose = "theirs"')`,
  run_js: `from pyodide.code import run_js\nloot = str(run_js('process.env.HOST_SECRET'))`,
  "constructor of an array": `from pyodide.ffi import to_js\nloot = str(to_js([1]).constructor.constructor('return process.env.HOST_SECRET')())`,
  "constructor of an async function": `import pyodide_js\npyodide_js.loadPackage.constructor('process.getBuiltinModule("node:fs").writeFileSync("{state}/stolen.txt", "")')()`,
  "constructor of an error": `from pyodide.ffi import to_js, JsException\ntry: to_js([1]).reduce(1)\nexcept JsException as e: loot = str(e.constructor.constructor('return process')().env.HOST_SECRET)`,
  "a file, by Node": `import js\nloot = ${node("fs")}.readFileSync('{state}/secret.txt', 'utf8')`,
  "a link, by Node": `import js, pyodide_js\n${node("fs")}.symlinkSync('{state}/secret.txt', '{state}/stolen.txt')`,
  "a process, by Node": `import js\n${node("child_process")}.execSync('cat {state}/secret.txt > {state}/stolen.txt')`,
  "a worker, by Node": `import js, time\n${node("worker_threads")}.Worker.new('require("node:fs").writeFileSync("{state}/stolen.txt", "")', js.JSON.parse('{"eval":true}'))\ntime.sleep(0.4)`,
  "a signal, by Node": `import js\nloot = 'reached' if js.process.kill(js.process.ppid, 0) else ''`,
  "the inspector": `import js\n${node("inspector")}.open(0, '127.0.0.1')\nloot = str(${node("inspector")}.url() or '')`,
  "the inspector, by a signal": `import js, time\njs.process._debugProcess(js.process.pid)\ntime.sleep(0.3)\nloot = str(${node("inspector")}.url() or '')`,
  pyfetch: `from pyodide.http import pyfetch\nr = await pyfetch('http://127.0.0.1:{port}/')`,
  "js.fetch": `import js\nr = js.fetch('http://127.0.0.1:{port}/')`,
  socket: `import socket\ns = socket.create_connection(('127.0.0.1', {port}), timeout=2)`,
  WebSocket: `import js\nw = js.WebSocket.new('ws://127.0.0.1:{port}/')`,
};

test.each(Object.keys(probes))("%s gets nothing", async (name) => {
  await using listener = await listen(marker);
  const code = probes[name]!.replaceAll("{state}", sandbox.stateDir).replaceAll(
    "{port}",
    String(listener.port),
  );
  // Probes follow each other in one context until one of them ends it; then the next one gets a new one.
  const context = (attacked ??= await sandbox.context());
  expect((await context.run("loot = None\n6 * 7")).result).toBe("42");
  const outcome = await context.run(code, { timeout_ms: 3000 });
  expect(JSON.stringify(outcome.events)).not.toContain(marker);
  expect((await context.run("globals().get('loot') in (None, '')")).result).toBe("True");
  if (outcome.lost) attacked = undefined;
  expect(await lstat(join(sandbox.stateDir, "stolen.txt")).catch(() => undefined)).toBeUndefined();
  expect(await listener.connections()).toBe(0);
  expect((await bystander.run("mine")).result).toBe("'untouched'");
});

test("memory outside of Python's own has a limit too", async () => {
  const context = await sandbox.context();
  const greedy = await context.run(
    [
      "from pyodide.ffi import to_js",
      "Bytes = to_js(b'x').constructor",
      "hoard = []",
      "while len(hoard) < 200:",
      "  hoard.append(Bytes.new(50_000_000))",
      "  hoard[-1].fill(7)",
    ].join("\n"),
    { timeout_ms: 30_000 },
  );
  expect(greedy.lost?.reason).toBe("memory_limit");
  expect((await context.run("6 * 7")).result).toBe("42");
  expect((await bystander.run("mine")).result).toBe("'untouched'");
});

test("packages are what they were", async () => {
  const sites = join(sandbox.stateDir, "sandbox/pyodide/packages");
  const [site] = await readdir(sites);
  expect(await readFile(join(sites, site!, "trusted.py"), "utf8")).toBe("whose = 'ours'\n");
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
  const contexts = join(sandbox.stateDir, "sandbox/contexts");
  const paths = (await readdir(contexts)).map((folder) => join(contexts, folder, "files"));
  const code = `import pyodide_js, os\nfound = []\nfor number, path in enumerate(${JSON.stringify(paths)}):\n  try:\n    os.makedirs(f'/h{number}')\n    pyodide_js.mountNodeFS(f'/h{number}', path)\n    found.append(open(f'/h{number}/private.txt').read())\n  except Exception as error: print(error)\nfound`;
  const outcome = await thief.run(code);
  expect(outcome.result).toBe("[]");
  expect(outcome.stdout.match(/does not exist|denied|restricted/g)).toHaveLength(paths.length);
});
