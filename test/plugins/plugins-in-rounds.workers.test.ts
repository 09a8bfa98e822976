import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, newSession, planned, python, scriptModel, send } from "../support/workers/api.ts";

const edgeDatabase = (env as unknown as { EDGE_DB: D1Database }).EDGE_DB;

beforeAll(async () => {
  await edgeDatabase.batch([
    edgeDatabase.prepare("create table if not exists orders (city text, sales integer)"),
    edgeDatabase.prepare("delete from orders"),
    edgeDatabase.prepare("insert into orders values ('Rome', 3), ('Oslo', 4)"),
  ]);
});

/** A round in which the CodeInterpreter runs these pieces of code, one an instruction; what it reported of each. */
async function runCode(session: string, ...codes: string[]) {
  const replies = codes.flatMap((code) => [planned("CodeInterpreter", "Do it."), python(code)]);
  const { mention, requests } = await scriptModel([...replies, planned("User", "Done.")]);
  const round = await send(session, `do it ${mention}`);
  const reports = round.post_list
    .filter(({ send_from, send_to }) => send_from === "CodeInterpreter" && send_to === "Planner")
    .map(({ message }) => message);
  return { round, reports, requests };
}

describe("plugins in a round", () => {
  it("an edge plugin reads its database from Python, and refuses to write", async () => {
    const session = await newSession();
    const { reports, requests } = await runCode(
      session,
      "query_database()",
      "rows = query_database('select city from orders where sales > ?', [3])\nrows[0]['city']",
      "try:\n    query_database('delete from orders')\nexcept PermissionError as error:\n    print('refused:', error)",
    );
    expect(reports[0]).toContain("city TEXT, sales INTEGER");
    expect(reports[1]).toContain("'Oslo'");
    expect(reports[2]).toContain("refused: query_database: the database can only be read");
    const count = await edgeDatabase.prepare("select count(*) as count from orders").first("count");
    expect(count).toBe(2);
    const prompt = (await requests()).find(({ messages }) =>
      messages[0]!.content.includes("You are ProgramApe"),
    );
    expect(prompt!.messages[0]!.content).toMatch(
      /Python 3\.14\.\d with its standard library, and of the large packages: nothing else\. Not there: numpy, pandas, matplotlib\./,
    );
    expect(prompt!.messages.map(({ content }) => content).join("\n")).toContain("def query_database(");
  });

  it("what a plugin sets as a session variable is there for cells, rounds and the API", async () => {
    const session = await newSession({ variables: { user: "Ada", city: "Rome" } });
    const first = await runCode(
      session,
      "find_outliers.ctx.set_session_var('city', 'Oslo')\nfind_outliers.ctx.set_session_var('count', 3)",
      "find_outliers.ctx.get_session_var('city'), find_outliers.ctx.get_session_var('count')",
    );
    expect(first.reports[1]).toContain("('Oslo', '3')");
    const variables = async () => (await call(`/v1/sessions/${session}/variables`)).json();
    expect(await variables()).toEqual({ user: "Ada", city: "Oslo", count: "3" });
    await call(`/v1/sessions/${session}/variables`, { method: "PUT", json: { city: "Bonn", count: null } });
    const second = await runCode(
      session,
      "[find_outliers.ctx.get_session_var(name) for name in ('user', 'city', 'count')]",
    );
    expect(second.reports[0]).toContain("['Ada', 'Bonn', None]");
  });
});
