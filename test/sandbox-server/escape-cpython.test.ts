import { lstat, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { onCPython } from "./engines.ts";
import { listen } from "./listener.ts";
import { descendants, startSandbox, TOKEN, waitUntil } from "./support.ts";
import type { Sandbox, TestContext } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

onCPython(() => {
  const marker = "HOST-SECRET-7f3a";
  let sandbox: Sandbox;
  let bystander: TestContext;

  beforeAll(async () => {
    sandbox = await startSandbox({ engine: "cpython", env: { HOST_SECRET: marker, SANDBOX_DISK_MB: "64" } });
    await writeFile(join(sandbox.stateDir, "secret.txt"), marker);
    bystander = await sandbox.context();
    await bystander.run("mine = 'untouched'");
    await bystander.file("private.txt", { method: "PUT", body: marker });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  /** The server and a bystander live, and nothing of what was started is left. */
  async function expectUnharmed(context: TestContext): Promise<void> {
    expect((await bystander.run("mine")).result).toBe("'untouched'");
    expect((await context.run("6 * 7")).result).toBe("42");
  }

  // Each would find the marker, reach the listener, or leave stolen.txt if it were run by the same Python outside.
  const probes: Record<string, string> = {
    "a file of the host": `open('{state}/secret.txt').read()`,
    "a file of the host, by a shell": `import os; os.system('cat {state}/secret.txt')`,
    "a file of the host, by a process": `import subprocess\nsubprocess.run(['cat', '{state}/secret.txt'], capture_output=True).stdout`,
    "a file of the host, through another root": `import glob\n[open(path).read() for path in glob.glob('/proc/*/root{state}/secret.txt') + glob.glob('/proc/*/cwd/../secret.txt')]`,
    "a file of the host, through what is open": `import os\nfound = []\nfor name in os.listdir('/proc/self/fd'):\n  try:\n    os.fchdir(int(name)); found.append((name, os.listdir('../..')))\n    found.append(open('{state}/secret.txt').read())\n  except OSError: pass\nos.chdir('/workspace'); found`,
    "a symbolic link": `import os\nos.symlink('{state}/secret.txt', 'link.txt')\nopen('link.txt').read()`,
    "a symbolic link, by the server": `import os\nos.path.lexists('link.txt') or os.symlink('{state}/secret.txt', 'link.txt')`,
    "a write to the host": `open('{state}/stolen.txt', 'w')`,
    "a write to the host, by a shell": `import os; os.system('mkdir -p {state}; echo > {state}/stolen.txt')`,
    "another context's files": `import os; os.system('find / -name private.txt -exec cat {} + 2>/dev/null')`,
    "the environment": `import os; (dict(os.environ), open('/proc/self/environ').read())`,
    "the environment of others": `import glob\nfound = []\nfor path in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):\n  try: found.append(open(path).read())\n  except OSError: pass\nfound`,
    "ctypes system": `import ctypes; ctypes.CDLL(None).system(b'cat {state}/secret.txt')`,
    "ctypes mount": `import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\nos.makedirs('/tmp/m', exist_ok=True)\nassert libc.mount(b'/dev/vda', b'/tmp/m', b'ext4', 0, None) != 0\nassert libc.setuid(0) != 0`,
    socket: `import socket\nsocket.create_connection(('127.0.0.1', {port}), timeout=1).recv(100)`,
    "socket, by a shell": `import subprocess\nsubprocess.run(['bash', '-c', 'cat < /dev/tcp/127.0.0.1/{port}'], capture_output=True, timeout=2).stdout`,
    urllib: `import urllib.request\nurllib.request.urlopen('http://127.0.0.1:{port}/', timeout=1).read()`,
    "the server itself": `import urllib.request\nurllib.request.urlopen('{url}/health', timeout=1) and 'reached'.upper()`,
  };

  let attacked: TestContext | undefined;
  test.each(Object.keys(probes))("%s gets nothing", async (name) => {
    await using listener = await listen(marker);
    const code = probes[name]!.replaceAll("{state}", sandbox.stateDir)
      .replaceAll("{port}", String(listener.port))
      .replaceAll("{url}", sandbox.url);
    const context = (attacked ??= await sandbox.context());
    const outcome = await context.run(code, { timeout_ms: 5000 });
    const told = JSON.stringify(outcome.events);
    for (const secret of [marker, TOKEN, "REACHED"]) expect(told).not.toContain(secret);
    expect(outcome.error?.name).not.toBe("AssertionError");
    expect(await lstat(join(sandbox.stateDir, "stolen.txt")).catch(() => undefined)).toBeUndefined();
    const link = await (await context.file("link.txt")).text();
    expect(link).not.toContain(marker);
    expect(await listener.connections()).toBe(0);
    await expectUnharmed(context);
  });

  test("nothing but the working folder and small folders in memory can be written", async () => {
    const context = await sandbox.context();
    const code = `import os
def writable(folder):
  try: open(folder + '/probe', 'w').close(); return True
  except OSError: return False
sorted({folder for folder, *_ in os.walk('/') if not folder.startswith('/proc') and writable(folder)})`;
    expect((await context.run(code)).result).toBe("['/dev/shm', '/tmp', '/workspace']");
    const fill = "with open('/tmp/fill', 'wb') as f:\n  while True: f.write(bytes(1_000_000))";
    expect((await context.run(fill)).error?.message).toMatch(/No space left/);
    expect((await context.run("import os; os.remove('/tmp/fill')")).done?.status).toBe("success");
  });

  test("it is nobody, alone, without any right", async () => {
    const context = await sandbox.context();
    const code = `import os
status = dict(line.split(':\\t', 1) for line in open('/proc/self/status').read().splitlines() if ':\\t' in line)
(os.getuid() != 0, status['CapEff'], status['CapPrm'], status['NoNewPrivs'], sorted(p for p in os.listdir('/proc') if p.isdigit()),
 [line.split(':')[0].strip() for line in open('/proc/net/dev').read().splitlines()[2:]])`;
    expect((await context.run(code)).result).toBe(
      "(True, '0000000000000000', '0000000000000000', '1', ['1', '2'], ['lo'])",
    );
  });

  test("processes of others can't be signalled", async () => {
    const context = await sandbox.context();
    const others = [sandbox.process.pid!, process.pid];
    const code = `import os\nreached = []\nfor pid in ${JSON.stringify(others)}:\n  try: os.kill(pid, 9); reached.append(pid)\n  except OSError: pass\ntry: os.kill(1, 9)\nexcept OSError: pass\nreached`;
    expect((await context.run(code)).result).toBe("[]");
    await context.run("import os, signal\nos.kill(-1, signal.SIGKILL)");
    await expectUnharmed(context);
  });

  test("processes end with the cell that started them", async () => {
    const context = await sandbox.context();
    const before = (await descendants(sandbox.process.pid!)).length;
    const code =
      "import os, subprocess\nfor _ in range(5): subprocess.Popen(['setsid', 'sleep', '600'])\nif os.fork() == 0:\n  while True: pass";
    expect((await context.run(code)).done?.status).toBe("success");
    expect(await waitUntil(async () => (await descendants(sandbox.process.pid!)).length <= before)).toBe(
      true,
    );
    expect((await context.run("print('child') if os.fork() == 0 else os.wait()[1]")).result).toBe("0");
  });

  test("a fork bomb meets its limit", async () => {
    const context = await sandbox.context();
    const code =
      "import os, time\ncount = 0\ntry:\n  while True:\n    if os.fork() == 0: time.sleep(60)\n    count += 1\nexcept BlockingIOError: pass\ncount";
    const outcome = await context.run(code);
    expect(Number(outcome.result)).toBeGreaterThan(10);
    expect(Number(outcome.result)).toBeLessThan(64);
    const endless = await context.run("while True:\n  try: os.fork()\n  except OSError: pass", {
      timeout_ms: 500,
    });
    expect(endless.lost ?? endless.done).toBeDefined();
    await expectUnharmed(context);
  });

  test("memory has a limit: of one process, of several, and of files without a name", async () => {
    const context = await sandbox.context();
    const greedy = await context.run("hoard = []\nwhile True: hoard.append(bytearray(10_000_000))");
    expect(greedy.error?.name).toBe("MemoryError");
    await context.run("del hoard");
    const together = await context.run(
      "import os, time\nfor _ in range(6):\n  if os.fork() == 0:\n    hoard = b'x' * 150_000_000; time.sleep(60)\ntime.sleep(20)",
    );
    expect(together.lost?.reason).toBe("memory_limit");
    const hidden = await context.run(
      "import os, time\nfiles = [os.memfd_create('m') for _ in range(20)]\nfor file in files:\n  for _ in range(30): os.write(file, bytes(1_000_000))\ntime.sleep(20)",
    );
    expect(hidden.lost?.reason).toBe("memory_limit");
    await expectUnharmed(context);
  });

  test("gigabytes of output are cut, whoever writes them", async () => {
    const context = await sandbox.context();
    const shell = await context.run("import os\nos.system('yes | head -c 1000000000')");
    expect(shell.done).toMatchObject({ status: "success", truncated: true });
    expect(shell.stdout.length).toBeLessThan(1024 * 1024 + 100);
    const forged = await context.run(
      "import os, threading, time\ndef flood(number):\n  for _ in range(60): os.write(number, b'x' * 1_000_000)\nfor number in range(3, 30): threading.Thread(target=flood, args=[number], daemon=True).start()\ntime.sleep(5)",
    );
    expect(forged.lost).toBeDefined(); // what isn't a message ends the engine
    await expectUnharmed(context);
  });

  test("what the engine's process was started with holds no secret", async () => {
    const processes = await descendants(sandbox.process.pid!);
    const facts = await Promise.all(
      processes.flatMap((pid) =>
        ["environ", "cmdline"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8")),
      ),
    );
    expect(facts.join("\n")).not.toContain(marker);
    expect(facts.join("\n")).not.toContain(TOKEN);
    expect(await readdir(join(sandbox.stateDir, "sandbox/cpython/spaces"))).not.toEqual([]);
  });
});
