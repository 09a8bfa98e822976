import { PLANNER, USER } from "../memory/post.ts";
import { defineRole } from "../roles/role.ts";

/** Stands in the Planner's place in a session that has only a worker: hands the request on, and the answer back. */
export const relay = defineRole({
  name: "relay",
  alias: PLANNER,
  memory: "none",
  intro: "",
  async reply(turn) {
    turn.post.sendTo(turn.lastPost.sendFrom === USER ? turn.workers[0]!.alias : USER);
    turn.post.write(turn.lastPost.message);
  },
});
