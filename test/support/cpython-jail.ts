import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const bwrap = process.env["SANDBOX_BWRAP"] ?? "/usr/bin/bwrap";
const python = process.env["SANDBOX_PYTHON"] ?? "/usr/bin/python3";

/** Why the CPython engine can't be had on this machine; undefined where it can. */
export function whyNoCPython(): string | undefined {
  const missing = whyMissing();
  if (missing !== undefined && process.env["REQUIRE_CPYTHON"] === "1") throw new Error(missing);
  return missing;
}

function whyMissing(): string | undefined {
  for (const program of [bwrap, python]) if (!existsSync(program)) return `there is no ${program}`;
  const attempt = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "/bin/true"];
  const { status, stderr } = spawnSync(bwrap, attempt, { encoding: "utf8" });
  return status === 0 ? undefined : `bubblewrap can't make namespaces here (${stderr.trim()})`;
}
