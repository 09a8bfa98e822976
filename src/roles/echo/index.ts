import * as z from "zod";
import { defineRole } from "../role.ts";

export const role = defineRole({
  name: "echo",
  alias: "Echo",
  memory: "none",
  intro: "Echo repeats the message that it is sent, word for word. It can do nothing else.",
  configSchema: z.object({ decorator: z.string().default("") }),
  async reply(turn) {
    const { decorator } = turn.config;
    turn.post.write(`${decorator}${turn.lastPost.message}${decorator}`);
  },
});
