import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forEachEngine } from "./engines.ts";
import { startSandbox } from "./support.ts";
import type { Sandbox } from "./support.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

forEachEngine((engine) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ engine });
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  // Written as TaskWeaver's own plugins are.
  const counter = {
    name: "visit_counter",
    config: { greeting: "Hello", start: 10 },
    code: `
import os
from taskweaver.plugin import Plugin, register_plugin, test_plugin


@register_plugin
class VisitCounter(Plugin):
    visits = 0

    def __call__(self, place: str):
        """Counts visits and writes a report."""
        self.visits += 1
        total = self.config.get("start") + self.visits
        who = self.ctx.get_session_var("user", "nobody")
        self.log("info", f"visit of {place}")
        artifact_id = self.ctx.add_artifact(
            name="report", file_name="report.txt", type="txt", val=f"{who} was in {place}", desc="The visit"
        )
        second_id, path = self.ctx.create_artifact_path("raw", "raw.bin", "file", "Raw data")
        with open(path, "wb") as file:
            file.write(b"12345")
        assert os.path.exists(path)
        ids = (self.ctx.session_id, self.ctx.execution_id, self.ctx.env_id)
        assert all(isinstance(each, str) and each for each in ids)
        text = self.ctx.wrap_text_with_delimiter_temporal(f"{self.config['greeting']} {who}")
        return artifact_id, total, text


@test_plugin(name="a test", description="never run in the sandbox")
def test_call(api_call):
    assert api_call("Rome")
`,
  };
  const adder = {
    name: "add",
    code: "from taskweaver.plugin.register import register_plugin\n\n@register_plugin\ndef add(a, b=1):\n    return a + b\n",
  };

  test("plugins of TaskWeaver's format run unchanged", async () => {
    const context = await sandbox.context({ plugins: [counter, adder], variables: { user: "Ada" } });
    expect(context.info.plugins).toEqual([
      { name: "visit_counter", ok: true },
      { name: "add", ok: true },
    ]);
    const outcome = await context.run(
      "id, total, text = visit_counter('Rome')\nprint(text)\n(id, total, add(1, b=2))",
    );
    expect(outcome.stdout).toBe("{{DELIMITER_START_TEMPORAL}}Hello Ada{{DELIMITER_END_TEMPORAL}}\n");
    expect(outcome.result).toBe("('obj_1_txt_0000', 11, 3)");
    expect(outcome.all("log").map(({ level, tag, message }) => [level, tag, message])).toEqual([
      ["info", "Plugin-visit_counter", "visit of Rome"],
      ["info", "Plugin-add", "calling function add"],
    ]);
    expect(outcome.artifacts).toMatchObject([
      {
        id: "obj_1_txt_0000",
        name: "report",
        kind: "txt",
        file: "obj_1_txt_0000_report.txt",
        description: "The visit",
      },
      { id: "obj_1_file_0001", name: "raw", kind: "file", file: "obj_1_file_0001_raw.bin", size: 5 },
    ]);
    expect(outcome.artifacts).toHaveLength(2);
    expect(outcome.artifacts[0]?.preview).toBe("Ada was in Rome");
    expect(await (await context.file("obj_1_txt_0000_report.txt")).text()).toBe("Ada was in Rome");
    expect((await context.run("visit_counter('Oslo')[:2]")).result).toBe("('obj_2_txt_0000', 12)");
  });

  test("session variables and plugins follow every PUT, and only what changed is loaded again", async () => {
    const context = await sandbox.context({ plugins: [counter, adder], variables: { user: "Ada" } });
    await context.run("visit_counter('Rome')\nfirst_add = add");
    const { info } = await context.put({ variables: { user: "Grace" } });
    expect(info).toMatchObject({ created: false, generation: context.info.generation });
    expect((await context.run("visit_counter('Oslo')[1:]")).result).toMatch(/^\(12, '.*Hello Grace/);
    const louder = { ...counter, config: { greeting: "HELLO", start: 0 } };
    await context.put({ plugins: [louder, adder] });
    expect((await context.run("visit_counter('Oslo')[1:], first_add is add")).result).toMatch(
      /^\(\(1, '.*HELLO.*True\)$/,
    );
    await context.put({ plugins: [adder] });
    expect((await context.run("visit_counter")).error?.name).toBe("NameError");
  });

  test("a plugin that can't be loaded is reported, and the others work", async () => {
    const broken = [
      { name: "no_module", code: "import not_there" },
      { name: "wrong", code: "def (:" },
      { name: "nothing", code: "x = 1" },
      { name: "twice", code: `${adder.code}\n${adder.code}` },
      { name: "no name", code: adder.code },
    ];
    const context = await sandbox.context({ plugins: [...broken, adder] });
    const reports = new Map(context.info.plugins.map(({ name, ok, error }) => [name, ok || error]));
    expect(reports.get("no_module")).toMatch(
      /line 1, in <module>\n[^]*ModuleNotFoundError: No module named 'not_there'/,
    );
    expect(reports.get("wrong")).toMatch(/SyntaxError/);
    expect(reports.get("nothing")).toMatch(/registers 0/);
    expect(reports.get("twice")).toMatch(/registers 2/);
    expect(reports.get("no name")).toMatch(/Python name/);
    expect(reports.get("add")).toBe(true);
    expect((await context.run("add(41)")).result).toBe("42");
  });

  test("plugins and session variables come back after the memory was lost", async () => {
    const context = await sandbox.context({ plugins: [counter], variables: { user: "Ada" } });
    await context.run("import os; os._exit(1)");
    expect((await context.run("visit_counter('Rome')[:2]")).result).toBe("('obj_2_txt_0000', 11)");
  });

  test("an error inside a plugin shows the plugin's own line", async () => {
    const failing = {
      name: "failing",
      code: "from taskweaver.plugin import *\n@register_plugin\ndef failing():\n    return {}['key']\n",
    };
    const context = await sandbox.context({ plugins: [failing] });
    const { error } = await context.run("failing()");
    expect(error?.traceback).toMatch(/File "<plugin failing>", line 4, in failing\n {4}return \{\}\['key'\]/);
    expect((await context.run("from taskweaver.plugin import Plugin\nPlugin.get_env")).result).toMatch(
      /function/,
    );
  });
});
