import { fillTemplate } from "../../lib/fill-template.ts";
import { rulesOf } from "../../verification/rules.ts";
import { askModel, streamAttachments } from "../ask-model.ts";
import { codeRunBefore, runForPost, verifyForPost } from "../execution-post.ts";
import { refusalText, reportText } from "../execution-report.ts";
import { instructionOf } from "../instructed-conversation.ts";
import { correctOrReport } from "../self-correction.ts";
import { defineRole, type Turn } from "../role.ts";
import { codeGeneratorConfig, codeInterpreterConfig, type CodeInterpreterConfig } from "./config.ts";
import { codeMessages, codeSchema, type CodeKnowledge } from "./prompt.ts";

type CodeTurn = Turn<CodeInterpreterConfig>;
type ModelReply =
  | { kind: "python" | "text"; thought: string; content: string }
  | { kind: "invalid"; error: string; text: string };

/** Turns an instruction into Python, runs it where its variables live on, corrects what fails, and reports. */
export const role = defineRole({
  name: "code_interpreter",
  alias: "CodeInterpreter",
  memory: "compressed",
  beginsEarly: true,
  intro:
    "CodeInterpreter writes Python and runs it in an interpreter that keeps its variables: for data, files, charts and" +
    " exact calculation. It sees the uploaded files in its working folder. It knows only what it is told: name files," +
    " columns and limits. It reports the code, its output and the files made.",
  configSchema: codeInterpreterConfig,
  knowledge: { name: "code_generator", configSchema: codeGeneratorConfig },
  async reply(turn) {
    // Kept before the code runs: a turn that is taken up again runs this same code, it does not ask for another.
    let streamed = false;
    const reply = await turn.checkpoint("reply", () => {
      streamed = true;
      return writeCode(turn);
    });
    if (reply.kind === "invalid") {
      turn.post.withdraw(reply.error);
      turn.post.attach("invalid_response", reply.text);
      return correctOrReport(
        turn,
        reply.error,
        fillTemplate(turn.prompt.revise_reply_message ?? "", { ERROR: reply.error }),
      );
    }
    if (!streamed) {
      turn.post.attach("thought", reply.thought);
      turn.post.attach("reply_type", reply.kind);
      turn.post.attach("reply_content", reply.content);
    }
    if (reply.kind === "text") {
      turn.post.write(reply.content);
      return;
    }
    const problems = verifyForPost(turn, reply.content, rulesOf(turn.config), codeRunBefore(turn));
    if (problems.length > 0) {
      const refusal = refusalText(reply.content, problems);
      return correctOrReport(turn, refusal, turn.prompt.revise_verification_message ?? "");
    }
    const result = await runForPost(turn, reply.content);
    const report = reportText(reply.content, result);
    if (result.status === "success") turn.post.write(report);
    else correctOrReport(turn, report, turn.prompt.revise_message ?? "");
  },
});

async function writeCode(turn: CodeTurn): Promise<ModelReply> {
  turn.post.status("writing code");
  const schema = codeSchema(turn);
  const messages = codeMessages(turn, await loadKnowledge(turn), schema);
  const { translation, text } = await askModel(turn, messages, schema, () =>
    streamAttachments(turn, ["thought", "reply_type", "reply_content"], () => {}),
  );
  if (!translation.ok) return { kind: "invalid", error: translation.error, text };
  const { reply_type: kind, reply_content: content = "", thought = "" } = translation.fields;
  if (kind !== "python" && kind !== "text") {
    return { kind: "invalid", error: `"reply_type" is "${kind ?? ""}", but must be python or text.`, text };
  }
  if (content.trim() === "") return { kind: "invalid", error: '"reply_content" is empty.', text };
  return { kind, thought, content };
}

/** Lessons and plugins are looked for by the instruction, also while the code for it is being corrected. */
async function loadKnowledge(turn: CodeTurn): Promise<CodeKnowledge> {
  const { load_plugin, enable_auto_plugin_selection, auto_plugin_selection_topk: topK } = turn.config;
  const query = instructionOf(turn);
  const selection = enable_auto_plugin_selection ? { query, topK } : undefined;
  return {
    examples: await turn.examples.load(),
    lessons: await turn.experience.load({ query }),
    plugins: load_plugin ? await turn.showPlugins(selection) : [],
    capabilities: await turn.sandbox.capabilities(),
  };
}
