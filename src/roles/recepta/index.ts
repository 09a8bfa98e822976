import * as z from "zod";
import { defineRole } from "../role.ts";

/** Somebody to think aloud to: it acknowledges, and the Planner goes on with its own plan. */
export const role = defineRole({
  name: "recepta",
  alias: "Recepta",
  memory: "none",
  intro:
    "Recepta takes note of a step of pure thinking: comparing, deciding, drafting. Send it what you have worked out, when" +
    " no other worker is needed for the step; it acknowledges, and you go on. It finds out nothing and does nothing.",
  configSchema: z.object({ decorator: z.string().default("") }),
  async reply(turn) {
    const { decorator } = turn.config;
    turn.post.write(`${decorator}It is noted. Go on with the next step of your plan.${decorator}`);
  },
});
