import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { problemCodes } from "../../../src/channels/http/openapi/problem-codes.ts";

const folder = "src/channels/http";
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
  .join("\n");

it("every refusal in the code is described, with its status", () => {
  const thrown = [...sources.matchAll(/HttpProblem\(\s*(\d{3}),\s*"(\w+)"/g)].map(([, status, code]) => [
    code,
    Number(status),
  ]);
  expect(thrown.length).toBeGreaterThan(30);
  for (const [code, status] of thrown) {
    expect([code, problemCodes[code as keyof typeof problemCodes]?.[0]]).toEqual([code, status]);
  }
});

it("docs/api.md names every refusal under its status", () => {
  const page = readFileSync("docs/api.md", "utf8");
  const rows = [...page.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(([, status, codes]) =>
    [...codes!.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  const known = Object.entries(problemCodes).map(([code, [status]]) => `${status} ${code}`);
  expect(rows.toSorted()).toEqual(known.toSorted());
});
