import { expect, it } from "vitest";
import { pluginSpec, type Plugin } from "../../src/plugins/plugin.ts";
import { defineRole } from "../../src/roles/role.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { playSession } from "../support/play-round.ts";

const plugin = (name: string): Plugin => ({
  spec: pluginSpec.parse({ name, description: name }),
  source: "",
  hash: "1",
  secretKeys: [],
});

/** Says which plugins it is shown. */
const role = defineRole({
  name: "planner",
  alias: "Planner",
  intro: "",
  async reply(turn) {
    const shown = await turn.showPlugins();
    turn.post.write(shown.map(({ name }) => name).join(", "));
    turn.post.sendTo("User");
  },
});

const notAsked = (): never => {
  throw new Error("This sandbox only opens interpreters.");
};

/** Opens interpreters in which these plugins can't be loaded. */
function openingSandbox(broken: string[]): Sandbox & { opened: number } {
  return {
    opened: 0,
    async open(_id, { plugins }) {
      this.opened += 1;
      return {
        generation: "1",
        created: this.opened === 1,
        plugins: plugins.map(({ name }) =>
          broken.includes(name)
            ? {
                name,
                ok: false,
                error: "Traceback (most recent call last):\nModuleNotFoundError: No module named 'x'",
              }
            : { name, ok: true },
        ),
      };
    },
    capabilities: notAsked,
    execute: notAsked,
    interrupt: notAsked,
    putFile: notAsked,
    getFile: notAsked,
    listFiles: notAsked,
    close: notAsked,
  };
}

it("a plugin that can't be loaded is hidden from the model, and the session hears of it", async () => {
  const sandbox = openingSandbox(["broken"]);
  const session = await playSession([role], { sandbox, plugins: [plugin("good"), plugin("broken")] });
  const answers = [await session.say("which?"), await session.say("and now?")];
  expect(answers.map(({ posts }) => posts.at(-1)!.message)).toEqual(["good", "good"]);
  expect(session.events.filter(({ type }) => type === "warning").map(({ data }) => data)).toEqual([
    {
      code: "plugin_failed",
      message: "The plugin broken can't be used: ModuleNotFoundError: No module named 'x'",
    },
  ]);
});

it("without a sandbox all plugins are shown: what is wrong is said when code is to run", async () => {
  const sandbox = { ...openingSandbox([]), open: () => Promise.reject(new Error("unreachable")) };
  const session = await playSession([role], { sandbox, plugins: [plugin("good")] });
  expect((await session.say("which?")).posts.at(-1)!.message).toBe("good");
  expect(session.events.filter(({ type }) => type === "warning")).toEqual([]);
});
