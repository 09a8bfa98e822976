import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deploymentOf } from "../../src/app.ts";
import { attached, call, newSession, planned, scriptModel, send } from "../support/workers/api.ts";

const put = (name: string, body: BodyInit, more: { key?: string; headers?: Record<string, string> } = {}) =>
  call(`/v1/documents/${encodeURIComponent(name)}`, { method: "PUT", body, ...more });

interface WireDocument {
  name: string;
  etag: string;
  passages: number;
  embedded_by: string;
  updated_at: string;
}

interface Found {
  document: string;
  headings: string[];
  text: string;
  score: number;
}

async function search(query: string, more: { key?: string; k?: number } = {}) {
  const { k = 5, ...init } = more;
  const response = await call("/v1/documents/search", { json: { query, k }, ...init });
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Found[] }).data;
}

const listed = async (key?: string) =>
  ((await (await call("/v1/documents", key ? { key } : {})).json()) as { data: WireDocument[] }).data.map(
    ({ name }) => name,
  );

const terms = `# Terms of sale

## Returns
Goods may be returned within 30 days, unused and in their box.

## Warranty
The warranty covers defects of material for two years. Batteries are covered for six months.

## Delivery
Parcels are delivered by carrier pigeon on working days.
`;

describe("a deployment's documents", () => {
  it("are put, listed, found by what they say, downloaded as they were, and deleted", async () => {
    const made = await put("terms.md", terms);
    expect(made.status).toBe(201);
    expect(await made.json()).toMatchObject({ name: "terms.md", mime: "text/markdown", size: terms.length });
    expect((await put("hours.html", "<h1>Hours</h1><p>Open from nine to five.</p>")).status).toBe(201);
    expect(await listed()).toEqual(["hours.html", "terms.md"]);

    const [best] = await search("How long does the warranty cover batteries?");
    expect(best).toMatchObject({ document: "terms.md", score: expect.any(Number) });
    expect(best!.text).toContain("Batteries are covered for six months.");
    const [hours] = await search("when are you open");
    expect(hours).toMatchObject({ document: "hours.html", text: "# Hours\n\nOpen from nine to five." });
    expect(await search("quantum chromodynamics")).toEqual([]);

    const whole = await call("/v1/documents/terms.md");
    expect(await whole.text()).toBe(terms);
    expect(whole.headers.get("content-disposition")).toMatch(/^attachment/);
    const part = await call("/v1/documents/terms.md", { headers: { range: "bytes=2-6" } });
    expect([part.status, await part.text()]).toEqual([206, "Terms"]);
    const etag = whole.headers.get("etag")!;
    expect((await call("/v1/documents/terms.md", { headers: { "if-none-match": etag } })).status).toBe(304);

    expect((await call("/v1/documents/hours.html", { method: "DELETE" })).status).toBe(204);
    expect((await call("/v1/documents/hours.html", { method: "DELETE" })).status).toBe(404);
    expect(await search("when are you open")).toEqual([]);
    expect(await listed()).toEqual(["terms.md"]);
  });

  it("take the place of earlier ones; the same once more changes nothing", async () => {
    const first = (await (await put("plan.md", "# Plan\n\nThe launch is in March.")).json()) as WireDocument;
    const again = await put("plan.md", "# Plan\n\nThe launch is in March.");
    expect([again.status, await again.json()]).toEqual([200, first]);
    const changed = await put("plan.md", "# Plan\n\nThe launch is in September.");
    expect(changed.status).toBe(200);
    expect(((await changed.json()) as WireDocument).etag).not.toBe(first.etag);
    const [found] = await search("launch");
    expect(found!.text).toContain("September");
    expect(JSON.stringify(await search("launch March"))).not.toContain("in March");
    const bodies = await env.FILES.list({ prefix: ":documents/alice/plan.md/" });
    expect(bodies.objects).toHaveLength(1);
    await call("/v1/documents/plan.md", { method: "DELETE" });
    expect((await env.FILES.list({ prefix: ":documents/alice/plan.md/" })).objects).toEqual([]);
    for (const table of ["documents", "document_passages", "document_sketches"]) {
      const left = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE name = 'plan.md'`).first(
        "n",
      );
      expect([table, left]).toEqual([table, 0]);
    }
  });

  it("are each tenant's own, also under one name", async () => {
    await put("secret.md", "# Secret\n\nThe vault's code is alpaca.");
    await put("secret.md", "# Secret\n\nBob's vault has no code.", { key: "key-of-bob" });
    expect(JSON.stringify(await search("vault code", { key: "key-of-bob" }))).not.toContain("alpaca");
    const [alices] = await search("vault code");
    expect(alices!.text).toContain("alpaca");
    expect(alices!.text).not.toContain("Bob");
    await put("alpaca.md", "# Alpacas\n\nThey eat hay.");
    expect(await search("What do alpacas eat?", { key: "key-of-bob" })).toEqual([]);
    expect(await listed("key-of-bob")).toEqual(["secret.md"]);
    expect((await call("/v1/documents/secret.md", { key: "key-of-bob", method: "DELETE" })).status).toBe(204);
    expect(await (await call("/v1/documents/secret.md")).text()).toContain("alpaca");
    expect((await search("vault code"))[0]!.text).toContain("alpaca");
  });

  it("that can't be read are refused with what to send instead", async () => {
    const refusal = async (response: Response) => {
      const { code, detail } = (await response.json()) as { code: string; detail: string };
      return [response.status, code, detail];
    };
    expect(await refusal(await put("a.pdf", "%PDF-1.7"))).toEqual([
      415,
      "unsupported_document",
      expect.stringContaining("pdftotext"),
    ]);
    expect(await refusal(await put("a.txt", " "))).toEqual([
      422,
      "document_empty",
      "There is no text in a.txt.",
    ]);
    expect(await refusal(await put("a.txt", "x".repeat(1_000_001)))).toEqual([
      413,
      "document_too_large",
      expect.stringContaining("documents.max_bytes"),
    ]);
    expect((await refusal(await put("../a.txt", "x"))).slice(0, 2)).toEqual([422, "invalid_file_name"]);
  });

  it("of a megabyte are taken whole, and what they say in one place is found among all the rest", async () => {
    const word = (n: number) => ((n * 2_654_435_761) % 9973).toString(26).replaceAll(/\d/g, "q");
    const section = (n: number) =>
      `## Article ${n}\n\n${Array.from({ length: 160 }, (_none, at) => word(n * 160 + at)).join(" ")}.\n\n`;
    const text = Array.from({ length: 1350 }, (_none, n) =>
      n === 800 ? "## Pets\n\nThe ferret must wear a blue collar at dinner.\n\n" : section(n),
    ).join("");
    expect(text.length).toBeGreaterThan(800_000);
    const made = (await (await put("large.md", text)).json()) as WireDocument;
    expect(made.passages).toBeGreaterThan(1000);
    const [found] = await search("Which collar does the ferret wear?");
    expect(found!.text).toContain("blue collar");
    expect(await (await call("/v1/documents/large.md")).text()).toBe(text);
    await call("/v1/documents/large.md", { method: "DELETE" });
  });

  it("are embedded by the model in the background, and found by words until then, or when it is down", async () => {
    const other = deploymentOf({ ...env, OPENAI_EMBEDDING_MODEL: "synonyms" } as unknown as Env);
    const store = other.documents.storeFor("carol");
    await store.put(
      "cars.md",
      new TextEncoder().encode("# Fleet\n\nThe car is kept in the garage."),
      "text/markdown",
    );
    const source = other.documents.sourceFor("carol");
    const look = async (query: string) =>
      (await source.search({ query, limit: 3, targetTokens: 100, threshold: 0.2 })).snippets.map(
        ({ document }) => document,
      );
    expect(await look("automobile")).toEqual([]);
    expect(await look("the garage")).toEqual(["cars.md"]);
    await other.documents.tend();
    expect(await store.find("cars.md")).toMatchObject({ model: "openai:synonyms" });
    expect(await look("automobile")).toEqual(["cars.md"]);

    const down = deploymentOf({ ...env, OPENAI_EMBEDDING_MODEL: "down" } as unknown as Env);
    await expect(down.documents.tend()).rejects.toThrow(/gave no embeddings/);
    const later = await down.documents
      .sourceFor("carol")
      .search({ query: "the garage", limit: 3, targetTokens: 100, threshold: 0.2 });
    expect(later).toMatchObject({ documents: 1, snippets: [{ document: "cars.md" }] });
    await store.remove("cars.md");
  });
});

describe("DocumentRetriever", () => {
  const roles = ["planner", "document_retriever"];

  async function ask(question: string, ...replies: object[]) {
    const session = await newSession({ roles });
    const script = await scriptModel([
      planned("DocumentRetriever", question),
      ...replies,
      planned("User", "That is it."),
    ]);
    const round = await send(session, `look it up ${script.mention}`);
    expect(round.error).toBeUndefined();
    const post = round.post_list.find(({ send_from }) => send_from === "DocumentRetriever")!;
    return { post, requests: await script.requests(), session };
  }

  it("answers from what was found, with its sources", async () => {
    await put("terms.md", terms);
    const { post, requests } = await ask("How long is the warranty on batteries?", {
      answer: "Six months [1].",
    });
    expect(post.message).toMatch(/^Six months \[1\]\.\n\nSources:\n\[1\] terms\.md › Terms of sale/);
    expect(requests[1]!.messages[1]!.content).toContain("### [1] terms.md › Terms of sale");
    expect(requests[1]!.messages[1]!.content).toContain("Batteries are covered for six months.");
    expect(attached(post, "source")[0]).toContain("terms.md");
    expect(JSON.stringify(requests[2])).toContain("Six months [1].");
    expect(JSON.stringify(requests[2])).not.toContain("Batteries are covered");
  });

  it("says that nothing was found, or that there is nothing to look in, and asks no model", async () => {
    await put("terms.md", terms);
    const { post, requests } = await ask("What is quantum chromodynamics?");
    expect(post.message).toMatch(/^Nothing was found: none of the \d+ documents/);
    expect(requests).toHaveLength(2);
    const session = await call("/v1/sessions", {
      key: "key-of-bob",
      json: { roles: ["document_retriever"] },
    });
    const { id } = (await session.json()) as { id: string };
    const round = await call(`/v1/sessions/${id}/messages`, {
      key: "key-of-bob",
      json: { message: "How long is the warranty on batteries?" },
    });
    expect(JSON.stringify(await round.json())).toContain("There are no documents to look things up in");
  });

  it("hands over what it found where its model's answer can't be used", async () => {
    await put("terms.md", terms);
    const { post } = await ask("How long is the warranty?", { text: "no json", finishReason: "length" });
    expect(post.message).toMatch(/^Found in terms\.md\. .*\{\{DELIMITER_START_TEMPORAL\}\}.*two years/s);
  });
});
