import { expect, it } from "vitest";
import { call, newSession, planned, scriptModel, send } from "../../support/workers/api.ts";

interface SessionFile {
  session: { id: string };
  rounds: { id: string; user_query: string; post_list: { id: string; message: string }[] }[];
}

it("what a round reads from the database doesn't grow with the conversation's age, nor does its prompt", async () => {
  const first = await newSession({ roles: ["planner"] });
  const script = await scriptModel([planned("User", "Noted.")]);
  await send(first, `remember me ${script.mention}`);
  const file = (await (await call(`/v1/sessions/${first}/export`)).json()) as SessionFile;
  // Whoever is asked about these rounds is asked for their summary.
  const summary = await scriptModel([
    { text: "The User counted to 300." },
    { text: "The User counted to 300, twice." },
  ]);
  const rounds = Array.from({ length: 300 }, (_none, index) => {
    const round = structuredClone(file.rounds[0]!);
    round.id = `round-long-${index}`;
    round.user_query = `this is number ${index} ${summary.mention}`;
    for (const [seq, post] of round.post_list.entries()) post.id = `post-long-${index}-${seq}`;
    round.post_list[0]!.message = round.user_query;
    return round;
  });
  const long = { ...file, session: { ...file.session, id: "counted-to-300" }, rounds };
  expect((await call("/v1/sessions/import", { json: long })).status).toBe(201);

  const say = async (message: string, session = "counted-to-300") => {
    const { mention, requests } = await scriptModel([planned("User", "Noted.")]);
    const { usage } = await send(session, `${message} ${mention}`);
    return {
      rowsRead: (usage.d1 as unknown as { rows_read: number }).rows_read,
      prompt: JSON.stringify((await requests())[0]!.messages),
    };
  };
  const all = await say("first");
  expect(all.rowsRead).toBeGreaterThan(600);
  expect(all.prompt).toContain("The User counted to 300.");
  expect(all.prompt).toContain("this is number 299");
  expect(all.prompt).not.toContain("this is number 100 ");
  const after = await say("second");
  expect(after.rowsRead).toBeLessThan(120);
  expect(after.prompt).toContain("The User counted to 300.");
  // A fork remembers what the original does, and reads no more.
  await call("/v1/sessions/counted-to-300/fork", { json: { id: "counted-otherwise" } });
  const forked = await say("third", "counted-otherwise");
  expect(forked.rowsRead).toBeLessThan(120);
  expect(forked.prompt).toContain("The User counted to 300.");
  expect((await summary.requests()).length).toBe(1);
  // Nothing is lost: the conversation itself is as long as ever.
  const list = (await (await call("/v1/sessions/counted-to-300/rounds?limit=5")).json()) as {
    data: unknown[];
    next_cursor: string;
  };
  expect(list.data).toHaveLength(5);
  expect(list.next_cursor).toBe("298");
});
