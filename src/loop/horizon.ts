import type { Round } from "../memory/round.ts";
import { attachmentsOf } from "../memory/post.ts";
import { factsOfRounds, withoutOverwritten } from "../memory/shared-state.ts";
import type { Horizon } from "../memory/summary.ts";
import type { Role } from "../roles/role.ts";
import { tokensOf } from "./check-tokens.ts";
import type { RoundContext } from "./run-round.ts";

/** The `execution_status` of code that was refused before it got to the interpreter. */
const NOT_RUN = "NONE";

type Remembered = Pick<RoundContext, "rounds" | "summaries" | "horizon" | "abilities">;

/** The horizon after the last round that no role of the session needs any more; undefined when it stays where it is. */
export function moveHorizon(context: Remembered, cast: Role[]): Horizon | undefined {
  const { rounds, horizon } = context;
  const running = rounds.at(-1)!.seq;
  const upTo = Math.min(running - 1, ...cast.map((role) => lastUnneeded(context, role)));
  if (upTo <= (horizon?.upTo ?? 0)) return undefined;
  const passed = rounds.filter(({ seq }) => seq <= upTo);
  const generation = lastGeneration({ rounds: passed, ...(horizon ? { horizon } : {}) });
  return {
    upTo,
    facts: withoutOverwritten([...(horizon?.facts ?? []), ...factsOfRounds(passed)], upTo + 1),
    ...(generation === undefined ? {} : { generation }),
    tokens: passed.reduce((sum, { usage }) => sum + (usage ? tokensOf(usage) : 0), horizon?.tokens ?? 0),
  };
}

function lastUnneeded({ rounds, summaries, abilities }: Remembered, role: Role): number {
  if (role.memory === "none") return Infinity;
  if (role.memory !== "compressed" || !abilities.compression(role)) return 0;
  const covered = summaries.find((summary) => summary.role === role.alias)?.upTo ?? 0;
  const takesPart = ({ sendFrom, sendTo }: Round["posts"][number]) =>
    sendFrom === role.alias || sendTo === role.alias;
  const next = rounds.find(
    ({ seq, state, posts }) => seq > covered && state !== "failed" && posts.some(takesPart),
  );
  return next ? next.seq - 1 : Infinity;
}

/** The interpreter memory that the session's code ran in last, also in a round that failed: what it did has happened. */
export function lastGeneration({
  rounds,
  horizon,
}: Pick<RoundContext, "rounds" | "horizon">): string | undefined {
  const executions = rounds
    .flatMap(({ posts }) => posts)
    .flatMap(({ attachments }) => attachments)
    .filter(({ type, content }) => type === "execution_status" && content !== NOT_RUN);
  const extra = executions.at(-1)?.extra as { generation?: string } | undefined;
  return extra?.generation ?? horizon?.generation;
}

/** Whether code of the round has been run already. */
export function hasRunCode(round: Round): boolean {
  return round.posts.some((post) =>
    attachmentsOf(post, "execution_status").some((status) => status !== NOT_RUN),
  );
}
