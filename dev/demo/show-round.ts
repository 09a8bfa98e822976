import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type ApiClient, type Upload } from "./api-client.ts";
import type { Colours } from "./colours.ts";
import type { Round } from "./events.ts";
import { describeRoundEnd } from "./round-end.ts";
import type { Screen } from "./screen.ts";
import { createTranscript } from "./transcript.ts";

/** Two signals within this time are one Ctrl-C: the launcher hands on what the terminal has also sent to us. */
const SAME_KEY_MS = 400;

export interface RoundOptions {
  client: ApiClient;
  session: string;
  message: string;
  files: Upload[];
  screen: Screen;
  colours: Colours;
  onInterrupt: (listener: () => void) => () => void;
  /** Called by the second Ctrl-C. */
  onLeave: () => void;
}

/** Runs one round and shows it; whether it finished. */
export async function showRound(options: RoundOptions): Promise<boolean> {
  const { client, session, screen, colours } = options;
  const transcript = createTranscript(colours);
  const abort = new AbortController();
  let round: string | undefined;
  let ended: Round | undefined;
  let interruptedAt: number | undefined;

  const stopListening = options.onInterrupt(() => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      screen.status("cancelling; Ctrl-C again to leave at once");
      if (round === undefined) abort.abort();
      // A server that can't cancel says so; then the round just goes on until the second Ctrl-C.
      else
        client.cancelRound(session, round).catch((error: unknown) => {
          screen.write(`\n  can't cancel: ${describe(error)}\n`);
          screen.status("the round goes on; Ctrl-C again to leave at once");
        });
    } else if (performance.now() - interruptedAt > SAME_KEY_MS) {
      abort.abort();
      options.onLeave();
    }
  });

  screen.status("sending the message");
  try {
    for await (const event of client.sendMessage(session, options.message, options.files, abort.signal)) {
      round = event.round_id ?? round;
      const { text, status } = transcript.show(event);
      screen.write(text);
      if (status !== undefined && interruptedAt === undefined) screen.status(status);
      if (event.type === "round_end") ended = event.data.round;
    }
  } catch (error) {
    if (abort.signal.aborted) {
      screen.write(`\n${colours.red("cancelled")}\n`);
      return false;
    }
    // A refusal comes before any event; a stream that breaks later may belong to a round that goes on.
    if (round === undefined || error instanceof ApiError) throw error;
  } finally {
    stopListening();
    screen.status("");
  }
  if (!ended && round !== undefined) {
    ended = await waitForRound(client, session, round, screen);
    if (ended) screen.write(`\n${lastMessage(ended)}${describeRoundEnd(ended, colours)}\n`);
  }
  if (!ended)
    screen.write(
      `\n${colours.red("failed: the server ended the stream before the round was over")}\n  Check that it is still running, then ask again.\n`,
    );
  return ended?.state === "finished";
}

/** The connection is gone but the round may go on: its state is asked for instead. */
async function waitForRound(
  client: ApiClient,
  session: string,
  round: string,
  screen: Screen,
): Promise<Round | undefined> {
  screen.status("the stream broke; waiting for the round's end");
  try {
    for (let tries = 0; tries < 60; tries++) {
      const state = await client.getRound(session, round);
      if (state.state !== "created") return state;
      await pause(1000);
    }
  } catch {
    // Neither stream nor round to be had: the caller tells.
  } finally {
    screen.status("");
  }
  return undefined;
}

function lastMessage(round: Round): string {
  const post = round.post_list.at(-1);
  return post ? `● ${post.send_from} → ${post.send_to}\n${post.message}\n\n` : "";
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
