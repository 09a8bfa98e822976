import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { offerPackages } from "../../../dev/packages/offer.ts";
import { fetchPackages } from "../../../sandbox/packages/fetch.ts";
import { readLock, resolvePackages } from "../../../sandbox/packages/lock.ts";
import { fitsPyodide, parseWheelName } from "../../../sandbox/packages/wheel.ts";
import { startPackageIndex } from "../../support/fake-package-index.ts";
import { writeWheel } from "../../support/wheel.ts";

async function makeFolders() {
  const root = await mkdtemp(join(tmpdir(), "packages-test-"));
  const remote = join(root, "remote");
  const folder = join(root, "local", "packages");
  await import("node:fs/promises").then(({ mkdir }) => mkdir(remote));
  const wheels = await Promise.all(
    ["one", "two"].map((name) =>
      writeWheel(remote, { name, version: "1.0", files: { [`${name}.py`]: "#".repeat(200_000) } }),
    ),
  );
  const packages = wheels.map(({ file, sha256 }) => ({
    version: "1.0",
    file_name: file,
    sha256,
    depends: [],
  }));
  return {
    remote,
    folder,
    packages,
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

describe("fetching packages", () => {
  it("resolves what they need from Pyodide's own lock file", () => {
    const found = resolvePackages(readLock(), ["Pandas", "matplotlib"]).map(({ file_name }) => file_name);
    expect(
      found.filter((name) => /^(numpy|pandas|matplotlib|pillow|six|python_dateutil)-/.test(name)),
    ).toHaveLength(6);
    expect(new Set(found).size).toBe(found.length);
    expect(() => resolvePackages(readLock(), ["nosuch"])).toThrow(/has no package "nosuch"/);
  });

  it("brings what is missing, goes on where it broke off, and keeps what is complete", async () => {
    await using folders = await makeFolders();
    await using index = await startPackageIndex(folders.remote);
    const { packages, folder } = folders;
    Object.assign(index.faults, { cutAfter: 70_000, cuts: 2 });
    const lines: string[] = [];
    const options = {
      packages,
      folder,
      url: index.url,
      pauseMs: 1,
      onLine: (line: string) => lines.push(line),
    };
    expect(await fetchPackages(options)).toMatchObject({ fetched: 2 });
    const ranges = index.asked.filter(({ file }) => file.startsWith("one")).map(({ range }) => range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges[2]).toBe("bytes=140000-");
    expect((await readdir(folder)).toSorted()).toEqual(packages.map(({ file_name }) => file_name));
    for (const { file_name } of packages)
      expect(await readFile(join(folder, file_name))).toEqual(
        await readFile(join(folders.remote, file_name)),
      );
    index.asked.length = 0;
    expect(await fetchPackages(options)).toEqual({ fetched: 0, bytes: 0 });
    expect(index.asked).toEqual([]);
    expect(lines.at(-1)).toMatch(/^2\/2 two-1\.0.*is there$/);
  });

  it("keeps nothing with another checksum", async () => {
    await using folders = await makeFolders();
    await using index = await startPackageIndex(folders.remote);
    await writeFile(join(folders.remote, folders.packages[0]!.file_name), "something else");
    const fetching = fetchPackages({ ...folders, url: index.url, pauseMs: 1 });
    await expect(fetching).rejects.toThrow(/one-1\.0-py3-none-any\.whl can't be had: .*another checksum/);
    expect(await readdir(folders.folder)).toEqual([]);
  });

  it("says what can't be had and how to go on, from the command line", async () => {
    await using folders = await makeFolders();
    await using index = await startPackageIndex(folders.remote);
    const launcher = join(import.meta.dirname, "../../../dev/launch.mjs");
    const child = spawn(process.execPath, [launcher, "sandbox-packages", "six"], {
      env: { PATH: process.env["PATH"], SANDBOX_PACKAGES: folders.folder, SANDBOX_PACKAGES_URL: index.url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(1);
    expect(output).toMatch(/six-[^ ]*\.whl can't be had: the server answered 404/);
    expect(output).toMatch(/SANDBOX_PACKAGES_URL[^]*six-[^ ]*\.whl {2}sha256 [0-9a-f]{64}/);
  });

  it("knows which wheels are for this Pyodide", () => {
    const build = { abi: "2026_0", python: "3.14.2" };
    const fits = (name: string) => fitsPyodide(parseWheelName(name)!, build);
    expect(fits("six-1.17.0-py2.py3-none-any.whl")).toBe(true);
    expect(fits("numpy-2.4.6-cp314-cp314-pyemscripten_2026_0_wasm32.whl")).toBe(true);
    expect(fits("x-1-cp39-abi3-pyemscripten_2026_0_wasm32.whl")).toBe(true);
    expect(fits("numpy-2.4.6-cp313-cp313-pyemscripten_2026_0_wasm32.whl")).toBe(false);
    expect(fits("numpy-2.4.6-cp314-cp314-pyemscripten_2025_0_wasm32.whl")).toBe(false);
    expect(fits("numpy-2.4.6-cp314-cp314-manylinux_2_28_x86_64.whl")).toBe(false);
    expect(fits("old-1.0-py2-none-any.whl")).toBe(false);
    expect(parseWheelName("numpy.zip")).toBeUndefined();
  });
});

describe("the offer at a start", () => {
  async function offer(folders: { packages: []; folder: string } | object, url: string, said?: string) {
    const input = Object.assign(new PassThrough(), { isTTY: said !== undefined });
    const output = Object.assign(new PassThrough(), { isTTY: said !== undefined });
    let shown = "";
    output.on("data", (data) => {
      shown += data;
      if (shown.endsWith("[Y/n] ")) input.write(`${said}\n`);
    });
    await offerPackages({ ...(folders as Awaited<ReturnType<typeof makeFolders>>), url, input, output });
    return shown;
  }

  it("fetches after a yes, and has nothing to say then", async () => {
    await using folders = await makeFolders();
    await using index = await startPackageIndex(folders.remote);
    expect(await offer(folders, index.url, "")).toMatch(/numpy, pandas, matplotlib yet\.[^]*2\/2 two-1\.0/);
    expect(await readdir(folders.folder)).toHaveLength(2);
    await writeFile(join(folders.folder, "pandas-3.0-py3-none-any.whl"), "");
    expect(await offer(folders, index.url, "y")).toBe("");
  });

  it("remembers a no", async () => {
    await using folders = await makeFolders();
    await using index = await startPackageIndex(folders.remote);
    expect(await offer(folders, index.url, "n")).toMatch(/Not asked again/);
    expect(existsSync(folders.folder)).toBe(false);
    expect(await offer(folders, index.url, "y")).toBe("");
  });

  it("isn't made without a terminal, nor without a network", async () => {
    await using folders = await makeFolders();
    await using index = await startPackageIndex(folders.remote);
    expect(await offer(folders, index.url)).toBe("");
    expect(index.asked).toEqual([]);
    expect(await offer(folders, "http://127.0.0.1:9/", "y")).toBe("");
  });
});
