import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { content } from "../../src/content/_content.ts";
import { attachmentsOf } from "../../src/memory/post.ts";
import { role as codeInterpreter } from "../../src/roles/code-interpreter/index.ts";
import { createSandbox as createHttp } from "../../src/sandbox/http/index.ts";
import { createSandbox as createJupyter } from "../../src/sandbox/jupyter/index.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { connectFromNode } from "../support/connect-from-node.ts";
import { whyNoCPython } from "../support/cpython-jail.ts";
import { jupyterMissing, startJupyter } from "../support/jupyter-server.ts";
import { playSession } from "../support/play-round.ts";
import { startSandboxServer } from "../support/sandbox-server.ts";
import { scriptedLlm } from "../support/scripted-llm.ts";

const CODE = `frame = pd.DataFrame({"day": range(10), "sales": [d * d for d in range(10)]})
plt.plot(frame["day"], frame["sales"])
plt.title("Sales")
frame["sales"].sum()`;

/** A round in which code is written that draws a chart; what the session and its listeners got. */
async function playRound(sandbox: Sandbox) {
  const llm = scriptedLlm([{ thought: "A line.", reply_type: "python", reply_content: CODE }]);
  const session = await playSession([codeInterpreter], {
    llm,
    sandbox,
    prompts: content.prompts,
    contextId: `plot-${Date.now()}`,
    roleConfig: {
      code_interpreter: { max_retry_count: 0, timeout: 60, role_name: "ProgramApe", load_plugin: true },
    },
  });
  const round = await session.say("Plot the sales.");
  return {
    round,
    artifacts: session.events.filter(({ type }) => type === "artifact").map(({ data }) => data),
  };
}

const places = [
  {
    name: "CPython in bubblewrap",
    missing: whyNoCPython(),
    start: () => startSandboxServer("cpython"),
    create: createHttp,
  },
  {
    name: "Jupyter",
    missing: jupyterMissing(),
    start: () => startJupyter(),
    create: (options: { url: string; token: string }) =>
      createJupyter({ ...options, connect: connectFromNode }),
  },
];

describe.each(places)("a round with a plot on $name", ({ missing, start, create }) => {
  let server: { url: string; token: string; stop(): Promise<void> } | undefined;
  beforeAll(async () => {
    if (missing === undefined) server = await start();
  });
  afterAll(() => server?.stop());

  it("gives the figure and the sum", async ({ skip }) => {
    skip(missing !== undefined, missing);
    const { round, artifacts } = await playRound(create(server!));
    const post = round.posts.find(({ sendFrom }) => sendFrom === "CodeInterpreter")!;
    expect(attachmentsOf(post, "execution_status")).toEqual(["SUCCESS"]);
    expect(post.message).toContain("285");
    expect(artifacts).toMatchObject([{ kind: "image", mime: "image/png" }]);
    expect((artifacts[0] as { size: number }).size).toBeGreaterThan(5000);
  });
});
