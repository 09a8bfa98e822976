import type { Plugin } from "../../src/plugins/plugin.ts";

export interface CaseOutcome {
  name: string;
  ok: boolean;
  error?: string;
}

const TIMEOUT_MS = 120_000;
/** What the cases print comes before the line that tells how they went. */
const MARK = "test cases of the plugin: ";

/** Runs a plugin's own test cases in the sandbox. That it can't be loaded is a case that failed. */
export async function testPlugin(options: {
  url: string;
  token: string;
  plugin: Plugin;
}): Promise<CaseOutcome[]> {
  const { url, token, plugin } = options;
  const { name, configurations: config } = plugin.spec;
  const path = `${url}/v1/contexts/${encodeURIComponent(name)}`;
  const headers = { authorization: `Bearer ${token}` };
  const ask = async (to: string, method: string, body: unknown) => {
    const response = await fetch(to, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
    return response;
  };
  const opened = await ask(path, "PUT", { plugins: [{ name, code: plugin.source, config }] });
  const [report] = ((await opened.json()) as { plugins: { ok: boolean; error?: string }[] }).plugins;
  if (!report?.ok) return [{ name: "it can be loaded", ok: false, error: report?.error ?? "" }];

  const code = [
    "import json as _json",
    "from taskweaver.plugin.register import run_test_cases as _run_test_cases",
    `print("\\n" + ${JSON.stringify(MARK)} + _json.dumps(_run_test_cases(${name})))`,
  ].join("\n");
  const ran = await ask(`${path}/executions`, "POST", {
    execution_id: "tests",
    code,
    timeout_ms: TIMEOUT_MS,
  });
  const events = (await ran.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; text?: string; traceback?: string; reason?: string });
  const output = events.map((event) => (event.type === "stdout" ? event.text : "")).join("");
  const line = output.split("\n").find((each) => each.startsWith(MARK));
  if (line) return JSON.parse(line.slice(MARK.length)) as CaseOutcome[];
  const error = events.find(({ type }) => type === "error" || type === "lost");
  return [
    { name: "its cases can be run", ok: false, error: error?.traceback ?? error?.reason ?? "no answer" },
  ];
}
