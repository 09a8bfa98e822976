import { expect, it } from "vitest";
import { roles } from "../../src/roles/_registry.ts";
import { defineRole } from "../../src/roles/role.ts";
import { oneUpload } from "../support/one-upload.ts";
import { testRole } from "../suites/role.suite.ts";

const role = (name: string) => roles.find((candidate) => candidate.name === name)!;
const inWords = { thought: "Nothing to run.", reply_type: "text", reply_content: "I can do sums." };

testRole(role("code_interpreter"), { message: "What can you do?", replies: [inWords] });
testRole(role("code_interpreter_plugin_only"), {
  message: "What can you do?",
  replies: [{ thought: "-", function: [], message: "I can call functions." }],
});
testRole(role("code_interpreter_cli_only"), {
  message: "What can you do?",
  replies: [{ description: "I can run commands.", code: "" }],
});
testRole(role("document_retriever"), {
  message: "How long may goods be returned?",
  documents: {
    search: async () => ({
      snippets: [{ document: "terms.md", headings: ["Returns"], text: "Within 30 days.", score: 0.5 }],
      documents: 1,
    }),
  },
  replies: [{ answer: "Within 30 days [1]." }],
});
testRole(role("echo"), { message: "hello" });
testRole(role("image_reader"), {
  message: "What is in dot.png?",
  files: oneUpload("dot.png", "GIF89a"),
  replies: [{ answer: "A dot." }],
});
testRole(role("recepta"), { message: "I compared both." });
testRole(role("task_type_identifier"), {
  message: "Which type is T-1?",
  config: { task_types: { taxes: "Tax returns." } },
  replies: [{ task_type: "taxes" }],
});
testRole(role("web_search"), { message: "edge computing" });
testRole(
  defineRole({
    name: "weather",
    alias: "Weather",
    intro: "Weather says what the weather is like.",
    async reply(turn) {
      turn.post.write("It is sunny.");
    },
  }),
  { message: "How is it?" },
);

it("each role that ships is held to the same suite, the Planner to its own", () => {
  const tested = [
    "code_interpreter",
    "code_interpreter_cli_only",
    "code_interpreter_plugin_only",
    "document_retriever",
    "echo",
    "image_reader",
    "planner",
    "recepta",
    "task_type_identifier",
    "web_search",
  ];
  expect(roles.map(({ name }) => name)).toEqual(tested);
});
