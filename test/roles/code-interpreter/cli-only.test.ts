import { afterAll, beforeAll, expect, it } from "vitest";
import { content } from "../../../src/content/_content.ts";
import { attachmentsOf } from "../../../src/memory/post.ts";
import { role } from "../../../src/roles/code-interpreter-cli-only/index.ts";
import { createSandbox } from "../../../src/sandbox/http/index.ts";
import { onCPython } from "../../sandbox-server/engines.ts";
import { playSession } from "../../support/play-round.ts";
import { startSandboxServer } from "../../support/sandbox-server.ts";
import { scriptedLlm } from "../../support/scripted-llm.ts";

onCPython(() => {
  let server: Awaited<ReturnType<typeof startSandboxServer>>;
  beforeAll(async () => {
    server = await startSandboxServer("cpython");
  });
  afterAll(() => server.stop());
  const sandbox = () => createSandbox({ url: server.url, token: server.token });

  it("finds a sandbox that says it has a shell", async () => {
    expect(await sandbox().capabilities()).toMatchObject({ shell: true });
  });

  it("runs the model's commands in the working folder, and has it mend one that fails", async () => {
    const llm = scriptedLlm([
      {
        description: "Makes a file and lists it.",
        code: "printf 'b\\na\\n' > \"it's.txt\"; sort *.txt && ls nothing",
      },
      { description: "Lists.", code: "ls; echo done >&2" },
      { description: "I only run commands.", code: "" },
    ]);
    const session = await playSession([role], {
      llm,
      sandbox: sandbox(),
      prompts: content.prompts,
      roleConfig: { code_interpreter_cli_only: { max_retry_count: 3, timeout: 30 } },
    });
    const round = await session.say("List the files.");
    expect(round.state).toBe("finished");
    const [failed, mended] = round.posts.filter(({ sendFrom }) => sendFrom === "CLIAgent");
    expect(attachmentsOf(failed!, "execution_status")).toEqual(["FAILURE"]);
    expect(failed!.message).toMatch(/Output:\na\nb[\s\S]*nothing[\s\S]*exit status 2/);
    expect(attachmentsOf(mended!, "reply_content")).toEqual(["ls; echo done >&2"]);
    expect(mended!.message).toContain("```sh\nls; echo done >&2\n```\nIt succeeded.\nOutput:\nit's.txt");
    expect((await session.say("Tell me a joke.")).posts.at(-1)!.message).toBe("I only run commands.");
  });
});

it("finds that Pyodide has none", async () => {
  const server = await startSandboxServer();
  try {
    const sandbox = createSandbox({ url: server.url, token: server.token });
    expect(await sandbox.capabilities()).toMatchObject({ shell: false });
  } finally {
    await server.stop();
  }
});
