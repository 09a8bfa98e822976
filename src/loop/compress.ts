import type { EmitEvent } from "../events/event.ts";
import { capMiddle } from "../lib/cap-middle.ts";
import { fillTemplate } from "../lib/fill-template.ts";
import type { Llm } from "../llm/llm.ts";
import { attachmentText } from "../memory/attachment.ts";
import type { Post } from "../memory/post.ts";
import { roleView } from "../memory/role-view.ts";
import type { Round } from "../memory/round.ts";
import type { RoundPosition } from "../memory/store.ts";
import type { RoleSummary } from "../memory/summary.ts";
import type { Role } from "../roles/role.ts";
import { countedLlm } from "./counted-llm.ts";
import { moveHorizon } from "./horizon.ts";
import type { RoundContext } from "./run-round.ts";

/** When a role's older rounds give way to a summary, and how that is made. */
export interface CompressionSettings {
  /** Tokens of the conversation that a prompt may hold in full. */
  maxTokens: number;
  /** As TaskWeaver has it: so many rounds at a time, the newest excepted. */
  byRounds?: { compress: number; retain: number };
  prompt: string;
  llm: Llm;
}

/** Four characters a token: near enough for a limit that leaves room. */
const CHARACTERS_PER_TOKEN = 4;
/** What of an attachment is worth reading for a summary. */
const ATTACHMENT_LIMIT = 1500;
const toldTypes = ["plan", "reply_content", "execution_result", "function"];

/** The rounds that a role's prompt shows in full, and what stands for those before. */
export function memoryOf(
  { rounds, summaries }: Pick<RoundContext, "rounds" | "summaries">,
  alias: string,
): { rounds: Round[]; summary?: string } {
  const summary = summaries.find(({ role }) => role === alias);
  const seen = roleView(rounds, alias).filter(({ seq }) => seq > (summary?.upTo ?? 0));
  return { rounds: seen, ...(summary ? { summary: summary.text } : {}) };
}

/**
 * Folds older rounds into summaries when the role's memory has grown past its limit. The other roles that remember by
 * summaries are brought up to the same round, so that it need not be loaded again. When the model fails, all stays as
 * it is.
 */
export async function compressMemory(options: {
  context: RoundContext;
  role: Role;
  cast: Role[];
  at: RoundPosition;
  emit: EmitEvent;
  abort: AbortSignal;
}): Promise<void> {
  const { context, role, cast, at, emit, abort } = options;
  const settings = context.abilities.compression(role);
  if (!settings || context.compressionFailed) return;
  const upTo = whereToCut(memoryOf(context, role.alias).rounds, settings);
  if (upTo === undefined) return;
  try {
    const made = await Promise.all(cast.map((other) => summarise(context, other, upTo, abort)));
    const summaries = made.filter((summary) => summary !== undefined);
    const others = context.summaries.filter(
      ({ role: alias }) => !summaries.some((one) => one.role === alias),
    );
    const next = { ...context, summaries: [...others, ...summaries] };
    const horizon = moveHorizon(next, cast);
    await context.store.keepSummaries(context.session, at, { summaries, horizon });
    context.summaries = next.summaries;
  } catch (error) {
    abort.throwIfAborted();
    // Not tried again in this round: each try costs its user time.
    context.compressionFailed = true;
    console.warn("A conversation could not be summarised; it is shown in full.", error);
    emit("warning", {
      code: "compression_failed",
      message: "Older rounds could not be summarised, so the model is shown all of them.",
    });
  }
}

/** The last round that is to be folded; undefined when all may stay. The running round is last and stays. */
function whereToCut(rounds: Round[], { maxTokens, byRounds }: CompressionSettings): number | undefined {
  const past = rounds.slice(0, -1).filter(({ posts }) => posts.length > 0);
  const sizes = past.map(tokensOf);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > maxTokens) {
    let kept = 0;
    let from = past.length;
    while (from > 0 && kept + sizes[from - 1]! <= maxTokens / 2) kept += sizes[--from]!;
    return past[from - 1]?.seq;
  }
  if (byRounds && past.length + 1 >= byRounds.compress + byRounds.retain) {
    return past[past.length - byRounds.retain]?.seq;
  }
  return undefined;
}

function tokensOf({ posts }: Round): number {
  const sizes = posts.flatMap(({ message, attachments }) => [
    message.length,
    ...attachments.map((attachment) => attachmentText(attachment).length),
  ]);
  return sizes.reduce((sum, size) => sum + size, 0) / CHARACTERS_PER_TOKEN;
}

/** Undefined for a role that doesn't remember by summaries, or has nothing new to remember. */
async function summarise(
  context: RoundContext,
  role: Role,
  upTo: number,
  signal: AbortSignal,
): Promise<RoleSummary | undefined> {
  const settings = context.abilities.compression(role);
  if (!settings) return undefined;
  const { rounds, summary = "There is none." } = memoryOf(context, role.alias);
  const folded = rounds.filter(({ seq, posts }) => seq <= upTo && posts.length > 0);
  if (folded.length === 0) return undefined;
  const system = fillTemplate(settings.prompt, { PREVIOUS_SUMMARY: summary, ROLE_NAME: role.alias });
  const reply = countedLlm(settings.llm, context.usage).chat(
    [
      { role: "system", content: system },
      { role: "user", content: `## The rounds\n${folded.map(tell).join("\n\n")}` },
    ],
    { signal },
  );
  const { text, finishReason } = await reply.result();
  if (text.trim() === "" || finishReason === "length")
    throw new Error("The summary is empty or was cut off.");
  return { role: role.alias, upTo, text: text.trim() };
}

function tell({ posts }: Round): string {
  return posts.map(tellPost).join("\n");
}

function tellPost({ sendFrom, sendTo, message, attachments }: Post): string {
  const told = attachments
    .filter(({ type }) => toldTypes.includes(type))
    .map((attachment) => `(${attachment.type}) ${capMiddle(attachmentText(attachment), ATTACHMENT_LIMIT)}`);
  return [`${sendFrom} to ${sendTo}: ${message}`, ...told].join("\n");
}
