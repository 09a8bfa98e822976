import type { SandboxPlugin } from "../../../src/sandbox/sandbox.ts";

/** A class with a state, a configuration, an artifact, logs and variables, as TaskWeaver's plugins are written. */
export const NOTES_PLUGIN: SandboxPlugin = {
  name: "notes",
  config: { mark: ">" },
  environment: { TOKEN: "secret" },
  hash: "1",
  code: `
from taskweaver.plugin import Plugin, register_plugin


@register_plugin
class Notes(Plugin):
    count = 0

    def __call__(self, text: str):
        self.count += 1
        self.log("info", "noted")
        artifact = self.ctx.add_artifact("note", "note.txt", "txt", f"{self.config['mark']} {text}", "A note")
        self.ctx.set_session_var("last_note", text)
        return artifact, self.ctx.get_session_var("user"), self.get_env("TOKEN"), self.count
`,
};

export const SUM_PLUGIN: SandboxPlugin = {
  name: "add",
  config: {},
  hash: "1",
  code: "from taskweaver.plugin import register_plugin\n\n@register_plugin\ndef add(a, b=1):\n    return a + b\n",
};

/** One that is carried out by whoever drives the sandbox. */
export const EDGE_PLUGIN: SandboxPlugin = {
  name: "lookup",
  config: {},
  hash: "1",
  code: `
from taskweaver.plugin import Plugin, register_plugin


@register_plugin
class Lookup(Plugin):
    def __call__(self, *args, **kwargs):
        return self.ctx.call_edge(self.name, args, kwargs)
`,
};
