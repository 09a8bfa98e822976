import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { launch } from "../support/launcher.ts";
import { processTree, stillRunning, until } from "../support/processes.ts";
import { startScriptedModel } from "../support/scripted-model.ts";
import { createProject } from "./content/project.ts";

vi.setConfig({ testTimeout: 120_000 });

let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());
const withModel = () => ({ OPENAI_BASE_URL: `${model.url}/v1` });

async function call(url: string, path: string, body?: unknown) {
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers };
  return (await (await fetch(`${url}${path}`, init)).json()) as Record<string, never>;
}

async function scriptedRound(url: string, session: object, replies: object[], message: string) {
  const name = `s-${Math.random().toString(36).slice(2)}`;
  const wire = replies.map((reply) => ({ text: JSON.stringify({ response: reply }) }));
  await fetch(`${model.url}/scripts/${name}`, { method: "PUT", body: JSON.stringify(wire) });
  const { id } = await call(url, "/v1/sessions", session);
  const round = await call(url, `/v1/sessions/${id}/messages`, { message: `${message} [script ${name}]` });
  const requests = await (await fetch(`${model.url}/scripts/${name}/requests`)).text();
  return { round: round as unknown as { state: string; post_list: { message: string }[] }, requests };
}

const answer = (message: string) => ({
  plan_reasoning: "-",
  init_plan: "1. answer",
  plan: "1. answer",
  current_plan_step: "1. answer",
  stop: "Completed",
  send_to: "User",
  message,
});

/** Some start the whole server once more; the quick tests go without them. */
const isQuick = process.env.TESTS === undefined;

describe("npm start", () => {
  it("serves until it is told to stop, and leaves nothing behind", async () => {
    await using server = launch("start", { env: withModel() });
    const url = await server.ready();
    expect(server.output().match(/^ready /gm)).toHaveLength(1);
    expect(await call(url, "/health")).toMatchObject({ status: "ok" });
    const { round } = await scriptedRound(url, {}, [answer("hello")], "hi");
    expect(round.state).toBe("finished");
    const tree = processTree(server.pid);
    expect(tree.length).toBeGreaterThan(4);
    process.kill(server.pid, "SIGTERM");
    await server.exit;
    await until("all processes have ended", () => stillRunning(tree).length === 0);
  });

  it.each([
    ["Ctrl-C on the terminal", "SIGINT", "group"],
    ["SIGKILL of npm", "SIGKILL", "npm"],
    ["SIGKILL of the launcher itself", "SIGKILL", "launcher"],
  ] as const)("leaves nothing behind after %s", { skip: isQuick }, async (_what, signal, target) => {
    await using server = launch("start", { env: withModel() });
    await server.ready();
    const tree = processTree(server.pid);
    expect(tree.length).toBeGreaterThan(4);
    const victim = { group: -server.pid, npm: server.pid, launcher: tree[1]! }[target];
    process.kill(victim, signal);
    await until("all processes have ended", () => stillRunning(tree).length === 0);
    await server.exit;
  });

  it("ends with an error when one of its processes dies", { skip: isQuick }, async () => {
    await using server = launch("start", { env: withModel() });
    await server.ready();
    const tree = processTree(server.pid);
    const { execFileSync } = await import("node:child_process");
    const table = execFileSync("ps", ["-o", "pid=,args=", "-p", tree.join(",")], { encoding: "utf8" });
    const sandbox = Number(
      table
        .split("\n")
        .find((line) => line.includes("sandbox/main.ts"))!
        .trim()
        .split(" ")[0],
    );
    process.kill(sandbox, "SIGKILL");
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(/The code sandbox ended by itself/);
    await until("all processes have ended", () => stillRunning(tree).length === 0);
  });

  it.each(["PORT", "SANDBOX_PORT"])(
    "says so when %s is taken, and how to choose another",
    async (setting) => {
      const other = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => other.once("listening", resolve));
      const taken = String((other.address() as AddressInfo).port);
      await using server = launch("start", { env: { ...withModel(), [setting]: taken } });
      expect(await server.exit).toBe(1);
      expect(server.output()).toMatch(new RegExp(`Port ${taken} is taken.*${setting}=\\d+ npm start`));
      other.close();
    },
  );

  it("says which port it can't read", async () => {
    await using server = launch("start", { env: { PORT: "eighty" } });
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(/PORT is "eighty"/);
  });

  it("asks for a key when there are API_KEYS", { skip: isQuick }, async () => {
    await using server = launch("start", { env: { ...withModel(), API_KEYS: "team:s3cret$x" } });
    const url = await server.ready();
    expect((await fetch(`${url}/v1/sessions`)).status).toBe(401);
    const authorized = await fetch(`${url}/v1/sessions`, { headers: { authorization: "Bearer s3cret$x" } });
    expect(authorized.status).toBe(200);
  });
});

describe("npm start -- --project", () => {
  const role = (text: string) => `import { defineRole } from "../role";
export const role = defineRole({
  name: "greeter",
  alias: "Greeter",
  intro: "Greets.",
  async reply(turn) {
    turn.post.write("${text}");
  },
});
`;
  const lesson = (text: string) => `enabled: true
rounds:
  - user_query: ping
    state: finished
    post_list:
      - {message: ping, send_from: User, send_to: Planner, attachment_list: []}
      - {message: ${text}, send_from: Planner, send_to: User, attachment_list: []}
`;

  it(
    "serves another folder, and what is edited in it is used by the next request",
    { skip: isQuick },
    async () => {
      using project = createProject({
        "roles/greeter/index.ts": role("good morning"),
        "examples/planner_examples/ping.yaml": lesson("pong"),
        "taskweaver_config.json": JSON.stringify({ "llm.model": "of-the-project" }),
      });
      await using server = launch("start", { args: ["--project", project.path], env: withModel() });
      const url = await server.ready();
      const greeting = async () => {
        const { round } = await scriptedRound(url, { roles: ["greeter"] }, [], "hello");
        return round.post_list.at(-1)!.message;
      };
      const prompt = async () => (await scriptedRound(url, {}, [answer("hi")], "hello")).requests;
      expect(await greeting()).toBe("good morning");
      expect(await prompt()).toContain("pong");
      expect(await prompt()).toContain("of-the-project");

      project.write("roles/greeter/index.ts", role("good evening"));
      await until("the edited role answers", async () => (await greeting()) === "good evening");
      project.write("examples/planner_examples/ping.yaml", lesson("peng"));
      await until("the edited example is in the prompt", async () => (await prompt()).includes("peng"));

      project.write("examples/planner_examples/ping.yaml", "enabled: [");
      await until("the error is told", () =>
        server.output().includes("examples/planner_examples/ping.yaml:1"),
      );
      expect(await prompt()).toContain("peng");
    },
  );

  it("stops at a project with errors, or without a folder", async () => {
    using project = createProject({ "plugins/broken.yaml": "name: broken\n" });
    await using server = launch("start", { args: ["--project", project.path], env: withModel() });
    expect(await server.exit).toBe(1);
    expect(server.output()).toMatch(/plugins\/broken\.yaml:1: description/);
    await using nowhere = launch("start", { args: ["--project", "/no/such/folder"] });
    expect(await nowhere.exit).toBe(1);
    expect(nowhere.output()).toMatch(/no such project folder/);
    await using wrong = launch("start", { args: ["--projekt", "."] });
    expect(await wrong.exit).toBe(2);
    expect(wrong.output()).toMatch(/Usage: npm start/);
  });
});
