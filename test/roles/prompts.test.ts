import { expect, it, vi } from "vitest";
import { content } from "../../src/content/_content.ts";
import { roles } from "../../src/roles/_registry.ts";
import { knowledgeName, type Role } from "../../src/roles/role.ts";
import { playSession } from "../support/play-round.ts";
import { oneUpload } from "../support/one-upload.ts";
import { scriptedLlm } from "../support/scripted-llm.ts";

const role = (name: string) => roles.find((candidate) => candidate.name === name)!;

/** All that a role's model is shown on a first message. */
async function promptOf(cast: Role[], asked: Role): Promise<string> {
  vi.useFakeTimers({ now: new Date("2026-01-02T03:04:05Z"), toFake: ["Date"] });
  const llm = scriptedLlm([]);
  const session = await playSession(cast, {
    llm,
    prompts: content.prompts,
    documents: {
      search: async () => ({
        snippets: [
          { document: "a.md", headings: ["One", "Two"], text: "First.", score: 0.5 },
          { document: "b.txt", headings: [], text: "Second.", score: 0.4 },
        ],
        documents: 2,
      }),
    },
    files: oneUpload("data.csv", "GIF89a"),
    roleConfig: {
      [asked.name]: {
        ...asked.configSchema?.parse(
          asked.name === "task_type_identifier" ? { task_types: { taxes: "Tax returns." } } : {},
        ),
        ...asked.knowledge?.configSchema?.parse({}),
      },
    },
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
  await session.say("Count the rows of data.csv.");
  vi.restoreAllMocks();
  vi.useRealTimers();
  const messages = llm.asked[0]!.map(({ role: speaker, content: text }) => `=== ${speaker}\n${text}`);
  return `${messages.join("\n\n")}\n`;
}

it.each([
  "planner",
  "code_interpreter",
  "code_interpreter_plugin_only",
  "code_interpreter_cli_only",
  "task_type_identifier",
  "image_reader",
  "document_retriever",
])("what %s's model is shown is what was written down: a change of a prompt is seen", async (name) => {
  const cast = name === "planner" ? [role("planner"), role("code_interpreter"), role("echo")] : [role(name)];
  await expect(await promptOf(cast, role(name))).toMatchFileSnapshot(`prompts/${name}.txt`);
});

it("summaries and lessons are asked for with the prompts that were written down", async () => {
  const shown = ["compression/", "experience"].map((key) => `=== ${key}\n${content.prompts[key]!.content}`);
  await expect(shown.join("\n\n")).toMatchFileSnapshot("prompts/background.txt");
});

it("every prompt of a role is its own, none is left empty", () => {
  for (const each of roles) {
    const prompt = content.prompts[knowledgeName(each)] ?? {};
    for (const text of Object.values(prompt)) expect(text.trim()).not.toBe("");
  }
});
