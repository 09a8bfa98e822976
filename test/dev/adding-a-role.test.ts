import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { repositoryPath } from "../../dev/content/compile.ts";
import { launch } from "../support/launcher.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

// Does what docs/adding/role.md tells its reader, in a copy of the repository: whatever isn't on the page isn't done.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const page = readFileSync(join(repositoryPath, "docs/adding/role.md"), "utf8");
/** Files stand under their names. */
const files = new Map(
  [...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
);
const [startServer, ask, register] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);

const folder = mkdtempSync(join(tmpdir(), "adding-a-role-"));
const copy = join(folder, "taskweaver-edge");

function put(base: string, name: string, text: string): void {
  mkdirSync(dirname(join(base, name)), { recursive: true });
  writeFileSync(join(base, name), text);
}

beforeAll(() => {
  const isWanted = (path: string) =>
    !/^(node_modules|\.git|\.wrangler|\.dev\.vars|\.env)(\/|$)/.test(relative(repositoryPath, path));
  cpSync(repositoryPath, copy, { recursive: true, filter: isWanted });
  symlinkSync(join(repositoryPath, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));

describe("the page on adding a role", () => {
  it("yields a role in a project that answers, by itself and for the Planner", async () => {
    for (const [name, text] of files) if (name.startsWith("my-project/")) put(folder, name, text);
    const [npm, script, ...args] = startServer!.trim().split(" ");
    expect([npm, script, args[0]]).toEqual(["npm", "start", "--"]);
    const model = await startScriptedModel();
    await using server = launch("start", {
      args: args.slice(1),
      cwd: copy,
      env: { OPENAI_BASE_URL: `${model.url}/v1` },
    });
    const url = await server.ready();

    const asked = ask!.replace("http://127.0.0.1:8787", url);
    expect(asked).not.toBe(ask);
    const { stdout, status } = spawnSync("sh", ["-c", asked], { encoding: "utf8" });
    expect(status).toBe(0);
    expect(page).toContain("The last Post says `42.16 km`.");
    const said = JSON.parse(stdout.slice(stdout.lastIndexOf('{"id":"round'))) as {
      post_list: { message: string }[];
    };
    expect(said.post_list.at(-1)!.message).toBe("42.16 km");

    const plan = { plan_reasoning: "-", init_plan: "1", plan: "1", current_plan_step: "1" };
    const replies = [
      { ...plan, stop: "InProcess", send_to: "UnitConverter", message: "10" },
      { ...plan, stop: "Completed", send_to: "User", message: "16.09 km" },
    ].map((response) => ({ text: JSON.stringify({ response }) }));
    await fetch(`${model.url}/scripts/s`, { method: "PUT", body: JSON.stringify(replies) });
    const post = async (path: string, json: object) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(json) })).json();
    };
    const { id } = (await post("/v1/sessions", {})) as { id: string };
    const round = await post(`/v1/sessions/${id}/messages`, { message: "ten miles? [script s]" });
    expect(round).toMatchObject({
      state: "finished",
      post_list: [{}, {}, { send_from: "UnitConverter", message: "16.09 km" }, { send_to: "User" }],
    });
    const requests = await (await fetch(`${model.url}/scripts/s/requests`)).text();
    expect(requests).toContain("UnitConverter turns miles into kilometres.");
    await model.close();
  });

  it("yields a role of the repository, registered and held to the suite", () => {
    const own = files.get("my-project/roles/unit-converter/index.ts")!;
    expect(page).toContain("The same file goes to `src/roles/unit-converter/index.ts`");
    put(copy, "src/roles/unit-converter/index.ts", own);
    for (const [name, text] of files) if (!name.startsWith("my-project/")) put(copy, name, text);
    const { TESTS: _which, VITEST: _inside, ...env } = process.env;
    const { stdout, stderr, status } = spawnSync("sh", ["-ec", register!], {
      cwd: copy,
      encoding: "utf8",
      env: { ...env, NO_COLOR: "1" },
    });
    expect([status, stderr + stdout]).toEqual([0, expect.stringMatching(/Tests +5 passed/)]);
    expect(stdout).toContain("made src/roles/_registry.ts");
    expect(readFileSync(join(copy, "src/roles/_registry.ts"), "utf8")).toContain("./unit-converter/index.ts");
  });
});
