import { describe, expect, inject, it } from "vitest";
import { createContainerDoor } from "../../sandbox/cloudflare/container-door.ts";
import { sandboxSettings } from "../../src/config/sandbox-settings.ts";
import { createSandbox } from "../../src/sandbox/http/index.ts";
import { fakeContainer } from "../support/workers/fake-container.ts";
import { testSandbox } from "../suites/sandbox.suite.ts";

const TOKEN = "token-of-the-container";
const IDLE_MS = 60_000;

/** A namespace of objects with a container each, and a real sandbox server behind all of them. */
function namespaceOfContainers(options: { refusals?: number } = {}) {
  const made = new Map<string, ReturnType<typeof makeOne>>();
  function makeOne() {
    const fake = fakeContainer({ url: inject("sandboxUrl"), token: inject("sandboxToken"), ...options });
    const variables = { SANDBOX_TOKEN: TOKEN };
    return {
      ...fake,
      door: createContainerDoor({ container: fake.container, variables, idleMs: IDLE_MS, pollMs: 5 }),
    };
  }
  return {
    made,
    getByName(name: string) {
      const one = made.get(name) ?? makeOne();
      made.set(name, one);
      return { fetch: (url: string, init?: RequestInit) => one.door.fetch(new Request(url, init)) };
    },
  };
}

const settingsFor = (binding: unknown, more: Record<string, string> = {}) =>
  sandboxSettings({ SANDBOX_TOKEN: TOKEN, ...more }, binding)!;

const noPackages = {
  reason: "the Pyodide engine has no pandas and no matplotlib here",
  tests: ["a data frame shows a few rows and an HTML form", "a figure is one image, shown or not"],
};

const shared = namespaceOfContainers();
testSandbox("http, by a binding to containers", () => createSandbox(settingsFor(shared)), {
  skip: [noPackages],
});

describe("a container with the sandbox", () => {
  const spec = { plugins: [], variables: {} };

  it("is started when it is first asked, and asked when it listens", async () => {
    const namespace = namespaceOfContainers({ refusals: 4 });
    const sandbox = createSandbox(settingsFor(namespace));
    const [first, second] = await Promise.all([sandbox.capabilities(), sandbox.capabilities()]);
    expect(first).toEqual(second);
    const one = namespace.made.get("sandbox-0")!;
    expect(one.started).toEqual([
      { env: { SANDBOX_HOST: "0.0.0.0", SANDBOX_TOKEN: TOKEN }, enableInternet: false },
    ]);
    expect(one.inactivityMs()).toBe(IDLE_MS);
  });

  it("is started again when it has ended", async () => {
    const namespace = namespaceOfContainers();
    const sandbox = createSandbox(settingsFor(namespace));
    await sandbox.capabilities();
    const one = namespace.made.get("sandbox-0")!;
    one.end();
    expect((await sandbox.capabilities()).shell).toBe(false);
    expect(one.started).toHaveLength(2);
  });

  it("keeps its contexts to itself, which are spread over several", async () => {
    const namespace = namespaceOfContainers();
    const sandbox = createSandbox(settingsFor(namespace, { SANDBOX_CONTAINERS: "3" }));
    const ids = Array.from({ length: 6 }, (_none, index) => `spread-${index}`);
    for (const id of ids) expect((await sandbox.open(id, spec)).created).toBe(true);
    expect(namespace.made.size).toBeGreaterThan(1);
    // Another isolate finds each where it is.
    const other = createSandbox(settingsFor(namespace, { SANDBOX_CONTAINERS: "3" }));
    for (const id of ids) {
      expect((await other.open(id, spec)).created).toBe(false);
      await other.close(id);
    }
  });

  it("is told of when it doesn't start", async () => {
    const namespace = namespaceOfContainers();
    const broken = createContainerDoor({
      container: {
        ...namespace,
        running: true,
        setInactivityTimeout: () => Promise.reject(new Error("no")),
      } as never,
      variables: {},
      idleMs: IDLE_MS,
    });
    const answer = await broken.fetch(new Request("http://sandbox/v1/info"));
    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: "not_ready" } }]);
  });
});

describe("the binding SANDBOX", () => {
  it("may be a service as well", async () => {
    const asked: string[] = [];
    const service = {
      async fetch(url: string, init?: RequestInit) {
        asked.push(`${url} ${new Headers(init?.headers).get("authorization")}`);
        return Response.json({ caps: { shell: true }, python: "3.14", packages: {} });
      },
    };
    expect((await createSandbox(settingsFor(service)).capabilities()).shell).toBe(true);
    expect(asked).toEqual([`http://sandbox/v1/info Bearer ${TOKEN}`]);
  });

  it("comes after an address, and is for http only", () => {
    expect(settingsFor(shared, { SANDBOX_URL: "http://there" })).toEqual({
      driver: "http",
      url: "http://there",
      token: TOKEN,
    });
    expect(settingsFor("not a binding")).toBeUndefined();
    expect(settingsFor(undefined)).toBeUndefined();
    expect(() => settingsFor(shared, { SANDBOX_DRIVER: "e2b" })).toThrow(/"e2b", which needs SANDBOX_URL/);
    expect(() => settingsFor(shared, { SANDBOX_CONTAINERS: "many" })).toThrow(/SANDBOX_CONTAINERS is "many"/);
  });
});
