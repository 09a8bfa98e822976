import type { SessionEvent } from "../../events/event.ts";
import type { Round } from "../../memory/round.ts";
import { USER } from "../../memory/post.ts";
import { answerOf, completionId, usageOf } from "./completion.ts";
import { errorBody, ROUND_FAILED } from "./error.ts";

const KEEP_ALIVE_MS = 15_000;

/** Attachments that show how an answer comes about. */
const reasoningTypes = new Set(["plan", "thought", "current_plan_step"]);

/**
 * The answer as OpenAI's chunks while it is made. Only what goes to the User is content; the rest, when asked for, is
 * reasoning. Writing never waits: a slow or gone reader doesn't hold up the round.
 */
export function createCompletionStream(options: {
  roundId: string;
  model: string;
  withReasoning: boolean;
  withUsage: boolean;
}) {
  const { roundId, model, withReasoning, withUsage } = options;
  const encoder = new TextEncoder();
  const created = Math.floor(Date.now() / 1000);
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let isOpen = true;
  /** The Post that goes to the User, once that is known, and what of it has been told. */
  let answering: string | undefined;
  let told = "";
  /** What a Post has said before it was known where it goes. */
  const waiting = new Map<string, string>();
  const types = new Map<string, string>();

  const raw = (text: string) => {
    if (isOpen) controller.enqueue(encoder.encode(text));
  };
  const send = (value: unknown) => raw(`data: ${JSON.stringify(value)}\n\n`);
  const base = { id: completionId(roundId), object: "chat.completion.chunk", created, model };
  const delta = (given: Record<string, unknown>, finish: string | null = null) =>
    send({
      ...base,
      choices: [{ index: 0, delta: given, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    });
  const reason = (text: string) => {
    if (withReasoning && text !== "") delta({ reasoning_content: text });
  };
  const content = (text: string) => {
    told += text;
    if (text !== "") delta({ content: text });
  };

  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
      delta({ role: "assistant", content: "" });
    },
    cancel: () => void (isOpen = false),
  });
  const keepAlive = setInterval(() => raw(": keep-alive\n\n"), KEEP_ALIVE_MS);

  function end(): void {
    clearInterval(keepAlive);
    if (!isOpen) return;
    raw("data: [DONE]\n\n");
    isOpen = false;
    controller.close();
  }

  return {
    write(event: SessionEvent): void {
      const post = event.post_id ?? "";
      const data = event.data as Record<string, string>;
      if (event.type === "post_send_to") {
        if (data.send_to === USER) answering = post;
        if (answering === post) content(waiting.get(post) ?? "");
        waiting.delete(post);
      } else if (event.type === "post_message") {
        if (answering === post) content(data.delta ?? "");
        else waiting.set(post, (waiting.get(post) ?? "") + (data.delta ?? ""));
      } else if (event.type === "post_attachment") {
        const id = data.attachment_id ?? "";
        const isFirst = !types.has(id);
        types.set(id, data.attachment_type ?? "");
        if (reasoningTypes.has(data.attachment_type ?? ""))
          reason(`${isFirst ? "\n" : ""}${data.delta ?? ""}`);
      } else if (event.type === "post_status") {
        reason(`\n[${data.status ?? ""}]`);
      } else if (event.type === "post_error") {
        waiting.delete(post);
        if (answering !== post) return;
        // What was sent can't be taken back on this wire; what follows is the answer.
        if (told !== "") content("\n\n[The text above was withdrawn.]\n\n");
        answering = undefined;
        told = "";
      }
    },

    finish(round: Round): void {
      if (round.state === "failed") {
        const { code, message } = round.error ?? { code: "round_failed", message: "The round failed." };
        send(errorBody({ status: ROUND_FAILED, code, message }));
        return end();
      }
      const answer = answerOf(round);
      // Whatever a role's way of writing left out.
      if (answer.startsWith(told)) content(answer.slice(told.length));
      delta({}, "stop");
      if (withUsage) send({ ...base, choices: [], usage: usageOf(round) });
      end();
    },

    fail(message: string): void {
      send(errorBody({ status: 500, code: "internal_error", message }));
      end();
    },

    response: (headers: Record<string, string>) =>
      new Response(body, {
        headers: {
          ...headers,
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
        },
      }),
  };
}
