import * as z from "zod";
import { fillTemplate } from "../../lib/fill-template.ts";
import { attachmentsOf } from "../../memory/post.ts";
import type { VerificationRules } from "../../verification/rules.ts";
import { askModel, streamAttachments } from "../ask-model.ts";
import { runForPost, verifyForPost } from "../execution-post.ts";
import { refusalText, reportText } from "../execution-report.ts";
import { instructionOf } from "../instructed-conversation.ts";
import { defineRole, type Turn } from "../role.ts";
import { correctOrReport } from "../self-correction.ts";
import { callsToPython, readCalls, type PluginCall } from "./calls.ts";
import { callMessages, callSchema } from "./prompt.ts";

const config = z.object({
  max_retry_count: z.int().min(0).max(20).default(3),
  /** Seconds that the calls of one reply may take. */
  timeout: z.number().positive().max(600).default(60),
});

type PluginTurn = Turn<z.infer<typeof config>>;
type ModelReply =
  | { kind: "calls"; thought: string; calls: PluginCall[] }
  | { kind: "text"; thought: string; message: string }
  | { kind: "invalid"; error: string; text: string };

/** Calls plugins by name and arguments: the model writes no code, what is run is made of its calls and nothing else. */
export const role = defineRole({
  name: "code_interpreter_plugin_only",
  alias: "PluginOrchestrator",
  memory: "compressed",
  beginsEarly: true,
  intro:
    "PluginOrchestrator calls ready-made functions, several in a row if need be, and reports their results. It writes no" +
    " code of its own. Ask it what it can do when you don't know; name all values that a function needs.",
  configSchema: config,
  knowledge: { name: "code_generator_plugin_only" },
  async reply(turn) {
    let streamed = false;
    const reply = await turn.checkpoint("reply", () => {
      streamed = true;
      return chooseCalls(turn);
    });
    if (reply.kind === "invalid") {
      turn.post.withdraw(reply.error);
      turn.post.attach("invalid_response", reply.text);
      const revise = fillTemplate(turn.prompt.revise_reply_message ?? "", { ERROR: reply.error });
      return correctOrReport(turn, reply.error, revise);
    }
    if (!streamed) turn.post.attach("thought", reply.thought);
    if (reply.kind === "text") return turn.post.write(reply.message);

    turn.post.attach("function", JSON.stringify(reply.calls));
    const { code, results } = callsToPython(reply.calls, callsBefore(turn));
    turn.post.attach("reply_content", code);
    const rules = rulesFor(
      reply.calls.map(({ name }) => name),
      results,
    );
    const problems = verifyForPost(turn, code, rules);
    if (problems.length > 0) {
      return correctOrReport(turn, refusalText(code, problems), turn.prompt.revise_message ?? "");
    }
    const result = await runForPost(turn, code);
    const report = reportText(code, result);
    if (result.status === "success") turn.post.write(report);
    else correctOrReport(turn, report, turn.prompt.revise_message ?? "");
  },
});

async function chooseCalls(turn: PluginTurn): Promise<ModelReply> {
  turn.post.status("choosing functions");
  const schema = callSchema(turn);
  const [examples, lessons] = await Promise.all([
    turn.examples.load(),
    turn.experience.load({ query: instructionOf(turn) }),
  ]);
  const messages = callMessages(turn, examples, lessons, schema);
  const listen = () => streamAttachments(turn, ["thought"], () => {});
  const { translation, text } = await askModel(turn, messages, schema, listen);
  if (!translation.ok) return { kind: "invalid", error: translation.error, text };
  const { thought = "", function: list = "", message = "" } = translation.fields;
  const read = readCalls(
    list,
    turn.plugins.filter(({ plugin_only }) => plugin_only),
  );
  if (!read.ok) return { kind: "invalid", error: read.error, text };
  if (read.calls.length > 0) return { kind: "calls", thought, calls: read.calls };
  if (message.trim() !== "") return { kind: "text", thought, message };
  return { kind: "invalid", error: 'Both "function" and "message" are empty.', text };
}

/** Calls of the session that were made already: results are numbered through, so that later ones can name them. */
function callsBefore(turn: PluginTurn): number {
  return turn.memory.rounds
    .flatMap(({ posts }) => posts)
    .filter((post) => attachmentsOf(post, "execution_status").some((status) => status !== "NONE"))
    .flatMap((post) => attachmentsOf(post, "function"))
    .reduce((count, calls) => count + (JSON.parse(calls) as unknown[]).length, 0);
}

/** Exactly what the calls need. */
function rulesFor(names: string[], results: string[]): VerificationRules {
  return {
    allowedModules: [],
    blockedModules: [],
    blockedFunctions: [],
    allowedFunctions: names,
    allowedVariables: results,
  };
}
