import { RoundFailure } from "../lib/round-failure.ts";
import { PLANNER, USER, type Post } from "../memory/post.ts";
import type { Session } from "../memory/session.ts";
import type { Role } from "../roles/role.ts";
import { relay } from "./relay.ts";
import type { Abilities } from "./turn.ts";

/** The session's roles by their names; a session without the Planner has a relay in its place. */
export function castOf(session: Session, abilities: Abilities): Role[] {
  const cast = session.roles.flatMap((name) => abilities.roles.get(name) ?? []);
  return cast.some(({ alias }) => alias === PLANNER) ? cast : [relay, ...cast];
}

/** Workers talk to the Planner, or to themselves to correct what they did; only the Planner talks to the User. */
export function checkStar(post: Post, cast: Role[]): void {
  const isPlanner = post.sendFrom === PLANNER;
  const known = isPlanner ? [...cast.map(({ alias }) => alias), USER] : [PLANNER, post.sendFrom];
  if (!known.includes(post.sendTo)) throw new UnknownReceiverError(post.sendTo, cast, post.sendFrom);
}

export class UnknownReceiverError extends RoundFailure {
  constructor(receiver: string, cast: Role[], sender?: string) {
    const who = sender === undefined ? "" : ` by ${sender}`;
    super(
      "role_failed",
      `A message was sent${who} to "${receiver}", who can't be addressed. In this session are: ${cast.map(({ alias }) => alias).join(", ")}.`,
    );
  }
}
