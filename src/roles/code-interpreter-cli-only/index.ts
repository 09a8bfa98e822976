import * as z from "zod";
import { fillTemplate } from "../../lib/fill-template.ts";
import type { ReplySchema } from "../../llm/llm.ts";
import { attachmentsOf, type Post } from "../../memory/post.ts";
import { askModel, streamAttachments } from "../ask-model.ts";
import { runForPost, verifyForPost } from "../execution-post.ts";
import { reportText } from "../execution-report.ts";
import { instructionOf, renderInstructed } from "../instructed-conversation.ts";
import { lessonSection } from "../lesson-section.ts";
import { safetySection } from "../safety-section.ts";
import { summarySection } from "../summary-section.ts";
import { defineRole, type Turn } from "../role.ts";
import { correctOrReport } from "../self-correction.ts";
import { shellPython } from "./shell-python.ts";

const config = z.object({
  max_retry_count: z.int().min(0).max(20).default(3),
  /** Seconds that one command may run. */
  timeout: z.number().positive().max(600).default(60),
});

type ShellTurn = Turn<z.infer<typeof config>>;
type ModelReply =
  | { kind: "command" | "text"; description: string; code: string }
  | { kind: "invalid"; error: string; text: string };

/** Turns an instruction into a shell command, where the sandbox has a shell, and corrects what fails. */
export const role = defineRole({
  name: "code_interpreter_cli_only",
  alias: "CLIAgent",
  memory: "compressed",
  beginsEarly: true,
  intro:
    "CLIAgent runs shell commands on Linux, in the working folder with the User's files: for finding, counting, sorting," +
    " packing and the like. It writes no programs. It reports the command and its output.",
  configSchema: config,
  knowledge: { name: "code_generator_cli_only" },
  needsShell: true,
  async reply(turn) {
    let streamed = false;
    const reply = await turn.checkpoint("reply", () => {
      streamed = true;
      return writeCommand(turn);
    });
    if (reply.kind === "invalid") {
      turn.post.withdraw(reply.error);
      turn.post.attach("invalid_response", reply.text);
      const revise = fillTemplate(turn.prompt.revise_reply_message ?? "", { ERROR: reply.error });
      return correctOrReport(turn, reply.error, revise);
    }
    if (!streamed) turn.post.attach("thought", reply.description);
    if (reply.kind === "text") return turn.post.write(reply.description);

    turn.post.attach("reply_content", reply.code);
    // A grammar of Python says nothing about a shell command: the sandbox alone is what keeps it in.
    verifyForPost(turn, reply.code, undefined);
    const result = await runForPost(turn, shellPython(reply.code));
    const report = reportText(reply.code, result, "sh");
    if (result.status === "success") turn.post.write(report);
    else correctOrReport(turn, report, turn.prompt.revise_message ?? "");
  },
});

async function writeCommand(turn: ShellTurn): Promise<ModelReply> {
  turn.post.status("writing a command");
  const schema: ReplySchema = {
    name: "command_response",
    schema: JSON.parse(turn.prompt.response_json_schema ?? "{}") as Record<string, unknown>,
  };
  const system = fillTemplate(turn.prompt.content ?? "", {
    ROLE_NAME: turn.alias,
    TIME: new Date().toISOString().slice(0, 16).replace("T", " ").concat(" UTC"),
    RESPONSE_JSON_SCHEMA: JSON.stringify(schema.schema),
  });
  const [examples, lessons] = await Promise.all([
    turn.examples.load(),
    turn.experience.load({ query: instructionOf(turn) }),
  ]);
  const content = [
    system,
    ...safetySection(turn),
    ...lessonSection(turn, lessons),
    ...summarySection(turn),
  ].join("\n\n");
  const conversation = renderInstructed(turn, { examples, renderReply });
  /** What the model calls the description is the thought behind the command. */
  const listen = () => {
    const onField = streamAttachments(turn, ["thought"], () => {});
    return (name: string, delta: string, isEnd: boolean) => {
      if (name === "description") onField("thought", delta, isEnd);
    };
  };
  const { translation, text } = await askModel(
    turn,
    [{ role: "system", content }, ...conversation],
    schema,
    listen,
  );
  if (!translation.ok) return { kind: "invalid", error: translation.error, text };
  const { code = "", description = "" } = translation.fields;
  if (code.trim() !== "") return { kind: "command", description, code };
  if (description.trim() !== "") return { kind: "text", description, code };
  return { kind: "invalid", error: 'Both "code" and "description" are empty.', text };
}

function renderReply(post: Post): string {
  const field = (type: string) => attachmentsOf(post, type).join("\n");
  const code = field("reply_content");
  return JSON.stringify({ response: { description: field("thought") || post.message, code } });
}
