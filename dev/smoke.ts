import { parseArgs } from "node:util";

// `npm run smoke -- URL --key KEY`: one task through a deployment, end to end.

const USAGE = "Usage: npm run smoke -- URL [--key KEY]";
const QUESTION = "Compute 123456789 * 987654321 with Python.";
const RESULT = "121932631112635269";

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

function readArguments(): { url: string; key?: string } {
  try {
    const { values, positionals } = parseArgs({
      options: { key: { type: "string" } },
      allowPositionals: true,
    });
    const [url, ...rest] = positionals;
    if (!url || rest.length > 0) throw new Error("One address is needed.");
    return { url: new URL(url).origin, ...values };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

const { url, key } = readArguments();

async function call(
  method: string,
  path: string,
  options: { key?: string; body?: unknown } = {},
): Promise<Answer> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (options.key !== undefined) headers.authorization = `Bearer ${options.key}`;
  const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) };
  const response = await fetch(`${url}${path}`, { method, headers, ...body });
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Answer["body"] };
}

function expect(condition: boolean, { status, body }: Answer): void {
  if (condition) return;
  const { code, detail, error } = body as {
    code?: string;
    detail?: string;
    error?: { code: string; message: string };
  };
  const said = error ? `${error.code}: ${error.message}` : code ? `${code}: ${detail}` : JSON.stringify(body);
  throw new Error(`answered ${status}: ${said.slice(0, 600)}`);
}

let session = "";
const steps: [what: string, run: () => Promise<string | void>][] = [
  [
    "it is up",
    async () => {
      const answer = await call("GET", "/health");
      expect(answer.status === 200 && answer.body.status === "ok", answer);
      return `version ${String(answer.body.version)}`;
    },
  ],
  [
    "it lets nobody in without a key",
    async () => {
      const answer = await call("GET", "/v1/sessions");
      if (key === undefined && answer.status === 200)
        return "it does: it is open, as npm start is without API_KEYS";
      expect(answer.status === 401, answer);
    },
  ],
  [
    "a session can be made",
    async () => {
      const answer = await call("POST", "/v1/sessions", {
        ...(key === undefined ? {} : { key }),
        body: { title: "smoke" },
      });
      expect(answer.status === 201, answer);
      session = String(answer.body.id);
      return session;
    },
  ],
  [
    "a task runs: model, code, answer",
    async () => {
      const path = `/v1/sessions/${session}/messages`;
      const answer = await call("POST", path, {
        ...(key === undefined ? {} : { key }),
        body: { message: QUESTION },
      });
      const posts = (answer.body.post_list ?? []) as { message: string }[];
      expect(answer.status === 200 && answer.body.state === "finished", answer);
      const last = posts.at(-1)?.message ?? "";
      const ran = posts.some(({ message }) => message.includes("It succeeded."));
      if (!ran) throw new Error(`no code was run; the answer was: ${last.slice(0, 300)}`);
      if (!last.replaceAll(/[\s,._']/g, "").includes(RESULT))
        throw new Error(`the answer lacks the result: ${last.slice(0, 300)}`);
      return `${posts.length} posts`;
    },
  ],
  [
    "the session can be deleted",
    async () => {
      const answer = await call("DELETE", `/v1/sessions/${session}`, key === undefined ? {} : { key });
      expect(answer.status === 204, answer);
    },
  ],
];

for (const [what, run] of steps) {
  try {
    const note = await run();
    console.log(`ok      ${what}${note ? ` (${note})` : ""}`);
  } catch (error) {
    const { message, cause } = error as Error;
    console.error(`FAILED  ${what}: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}`);
    process.exit(1);
  }
}
console.log(`${url} works.`);
