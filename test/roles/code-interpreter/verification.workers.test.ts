import { describe, expect, it } from "vitest";
import { checkRoles } from "../../../src/channels/http/check-roles.ts";
import { roles as allRoles } from "../../../src/roles/_registry.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import {
  attached,
  call,
  newSession,
  planned,
  python,
  scriptModel,
  send,
  speakers,
} from "../../support/workers/api.ts";

describe("verification of code", () => {
  it("keeps code that breaks the rules from running, and tells the model what to mend", async () => {
    const session = await newSession();
    const { mention, requests } = await scriptModel([
      planned("CodeInterpreter", "Count the files."),
      python("open('trace.txt', 'w').write('ran')\nimport subprocess as sp\nsp.run(['ls'])"),
      python("import os\nsorted(os.listdir('.'))"),
      planned("User", "None."),
    ]);
    const round = await send(session, `count ${mention}`);
    expect(round.state).toBe("finished");
    expect(speakers(round)).toEqual([
      "User > Planner",
      "Planner > CodeInterpreter",
      "CodeInterpreter > CodeInterpreter",
      "CodeInterpreter > Planner",
      "Planner > User",
    ]);
    const [, , refused, mended] = round.post_list;
    expect(attached(refused!, "verification")).toEqual(["INCORRECT"]);
    expect(attached(refused!, "code_error")[0]).toMatch(
      /^Line 2, column 8: the module subprocess is not allowed/,
    );
    expect(attached(refused!, "execution_status")).toEqual(["NONE"]);
    expect(attached(refused!, "revise_message")[0]).toContain("rules for code");
    expect(attached(mended!, "verification")).toEqual(["CORRECT"]);
    // The first code did not run, not even its first line.
    expect(mended!.message).toContain("Value: []");

    const [, first, second] = await requests();
    expect(first!.messages[0]!.content).toContain("## Rules for code");
    const feedback = second!.messages.at(-1)!.content;
    expect(feedback).toContain("Verification: INCORRECT\nLine 2, column 8: the module subprocess");
    expect(feedback).toContain("Execution: NONE");
    // What the work is about is told again with the correction.
    expect(feedback).toContain("The User's request: count");
    expect(feedback).toContain("Plan");
  });

  it("tells the Planner when every try breaks the rules", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Run ls."),
      ...Array.from({ length: 4 }, () => python("import os\nos.system('ls')")),
      planned("User", "That can't be done here."),
    ]);
    const round = await send(session, `ls ${mention}`);
    expect(speakers(round).filter((who) => who === "CodeInterpreter > CodeInterpreter")).toHaveLength(3);
    expect(round.post_list.at(-2)).toMatchObject({ send_from: "CodeInterpreter", send_to: "Planner" });
    expect(round.post_list.at(-2)!.message).toMatch(
      /was not run[\s\S]*Line 2, column 4: os\.system is not allowed/,
    );
  });

  it("lets a line that asks for packages through to the sandbox, which says what is there", async () => {
    const session = await newSession();
    const { mention, requests } = await scriptModel([
      planned("CodeInterpreter", "Add."),
      python("!pip install package-of-nobody\n1 + 2"),
      python('!pip install sqlite3\ntext = """\n!ls\n"""\n!ls\n1 + 2'),
      python("%pip install sqlite3\n1 + 2"),
      planned("User", "3"),
    ]);
    const round = await send(session, `add ${mention}`);
    const [, , missing, shell, mended] = round.post_list;
    expect(attached(missing!, "verification")).toEqual(["CORRECT"]);
    expect(attached(missing!, "execution_status")).toEqual(["FAILURE"]);
    expect(attached(shell!, "verification")).toEqual(["INCORRECT"]);
    expect(attached(shell!, "code_error")[0]).toMatch(/^Line 5, column 1: shell lines are not allowed here/);
    expect(attached(mended!, "execution_status")).toEqual(["SUCCESS"]);
    expect(mended!.message).toMatch(/Value: 3[^]*sqlite3 is there already/);
    const [, , second] = await requests();
    expect(second!.messages.at(-1)!.content).toMatch(
      /line 1[^]*package-of-nobody can't be installed here: there is no package index\. Only Python's own library/,
    );
  });

  it("says where the syntax is wrong, without the interpreter", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Add."),
      python("x = 1\nprint(x + (2"),
      python("1 + 2"),
      planned("User", "3"),
    ]);
    const round = await send(session, `add ${mention}`);
    expect(attached(round.post_list[2]!, "code_error")).toEqual([
      'Line 2, column 6: syntax error: "(" is never closed.',
    ]);
    expect(round.post_list[3]!.message).toContain("Value: 3");
  });

  it("knows what earlier code has called a module, and what it has defined", async () => {
    const session = await newSession();
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Prepare."),
      python("import os as o\ndef compile(text):\n    return text.upper()"),
      planned("CodeInterpreter", "Use it."),
      python("o.system('ls')"),
      python("compile('abc')"),
      planned("User", "ABC"),
    ]);
    const round = await send(session, `go ${mention}`);
    const verdicts = round.post_list.flatMap((post) => attached(post, "verification"));
    expect(verdicts).toEqual(["CORRECT", "INCORRECT", "CORRECT"]);
    expect(round.post_list.at(-2)!.message).toContain("Value: 'ABC'");
  });
});

describe("the kinds of code interpreters", () => {
  it("are one a session, and the one with a shell only where there is a shell", async () => {
    const asked = async (roles: string[]) => {
      const response = await call("/v1/sessions", { json: { roles } });
      return [response.status, ((await response.json()) as { detail?: string }).detail ?? ""] as const;
    };
    const both = await asked(["planner", "code_interpreter", "code_interpreter_plugin_only"]);
    expect(both).toEqual([422, expect.stringContaining("one kind of code interpreter")]);
    const shell = await asked(["planner", "code_interpreter_cli_only"]);
    expect(shell).toEqual([422, expect.stringContaining("sandbox has no shell")]);
    expect((await asked(["planner", "code_interpreter_plugin_only"]))[0]).toBe(201);

    const names = ["planner", "code_interpreter_cli_only"];
    const roles = new Map(allRoles.map((each) => [each.name, each]));
    const sandbox = { capabilities: async () => ({ shell: true }) } as Sandbox;
    expect(await checkRoles(names, { roles, sandbox })).toEqual(names);
  });
});
