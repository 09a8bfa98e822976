import { describe, expect, it } from "vitest";
import { PLANNER } from "../../src/memory/post.ts";
import { content } from "../../src/content/_content.ts";
import { defineRole, knowledgeName, type Role } from "../../src/roles/role.ts";
import type { DocumentSource } from "../../src/documents/document.ts";
import type { SessionFiles } from "../../src/files/files.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { playSession } from "../support/play-round.ts";
import { scriptedLlm } from "../support/scripted-llm.ts";

/** What every role must hold to, the Planner's own part apart. */
export function testRole(
  role: Role,
  options: {
    /** Something that it can do. */
    message: string;
    /** What its model answers meanwhile. */
    replies?: object[];
    config?: Record<string, unknown>;
    sandbox?: Sandbox;
    files?: Partial<SessionFiles>;
    documents?: DocumentSource;
  },
) {
  const { message, replies = [], config = {}, sandbox, files, documents } = options;

  describe(`role ${role.name}`, () => {
    it("is named as roles are, and says what it can do", () => {
      expect(role.name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
      expect(role.alias).toMatch(/^[A-Z][A-Za-z0-9]*$/);
      expect(role.intro.trim().length).toBeGreaterThan(20);
    });

    it("works without any key set", () => {
      expect(role.configSchema?.safeParse({}).success ?? true).toBe(true);
      expect(role.knowledge?.configSchema?.safeParse({}).success ?? true).toBe(true);
    });

    it("answers whoever asked, with something to read, and asks its model no more than it has to", async () => {
      const llm = scriptedLlm(structuredClone(replies));
      const asker = defineRole({
        name: "planner",
        alias: PLANNER,
        intro: "",
        memory: "none",
        async reply(turn) {
          const isAsking = turn.lastPost.sendFrom === "User";
          turn.post.sendTo(isAsking ? role.alias : "User");
          turn.post.write(isAsking ? message : "done");
        },
      });
      const session = await playSession([asker, role], {
        llm,
        prompts: content.prompts,
        roleConfig: {
          [role.name]: {
            ...role.configSchema?.parse(config),
            ...role.knowledge?.configSchema?.parse({}),
          },
        },
        ...(sandbox ? { sandbox } : {}),
        ...(files ? { files } : {}),
        ...(documents ? { documents } : {}),
      });
      const round = await session.say("Please.");
      expect(round.error).toBeUndefined();
      const said = round.posts.filter(({ sendFrom }) => sendFrom === role.alias);
      expect(said.at(-1)).toMatchObject({ sendTo: PLANNER });
      expect(said.at(-1)!.message.trim()).not.toBe("");
      expect(llm.asked).toHaveLength(replies.length);
      // All that it says is told, in its Post's own name, and the Post is told whole in the end.
      const ids = new Set(said.map(({ id }) => id));
      const told = session.events.filter(({ post_id: id }) => id !== undefined && ids.has(id));
      expect(told[0]!.type).toBe("post_start");
      expect(told.at(-1)!.type).toBe("post_end");
    });

    it("has its prompts under the name of its knowledge, if it asks a model", () => {
      expect(replies.length === 0 || knowledgeName(role) in content.prompts).toBe(true);
    });
  });
}
