import { expect, it } from "vitest";
import { role as recepta } from "../../src/roles/recepta/index.ts";
import { playSession } from "../support/play-round.ts";

it("Recepta acknowledges and finds out nothing", async () => {
  const session = await playSession([recepta], { roleConfig: { recepta: { decorator: "*" } } });
  const round = await session.say("What is 6 times 7?");
  expect(round.posts.at(-1)!.message).toMatch(/^\*It is noted\. .*\*$/);
});
