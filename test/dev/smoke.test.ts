import { expect, it, vi } from "vitest";
import { launch } from "../support/launcher.ts";

vi.setConfig({ testTimeout: 120_000 });

it("npm run smoke finds a server with the demo model sound, and says what is wrong with a call", async () => {
  await using server = launch("start", { env: { API_KEYS: "tester:s3cret" } });
  const url = await server.ready();
  expect(server.output()).toContain("the demo model (rules, not a language model)");

  await using sound = launch("smoke", { args: [url, "--key", "s3cret"] });
  expect(await sound.exit).toBe(0);
  expect(sound.output().match(/^ok {6}/gm)).toHaveLength(5);

  await using keyless = launch("smoke", { args: [url, "--key", "guessed"] });
  expect(await keyless.exit).toBe(1);
  expect(keyless.output()).toMatch(/FAILED {2}a session can be made: answered 401: unauthorized/);
});

it("npm run smoke tells that the sandbox is missing", async () => {
  await using server = launch("start", { env: { SANDBOX_URL: "http://127.0.0.1:1" } });
  const url = await server.ready();
  await using smoke = launch("smoke", { args: [url] });
  expect(await smoke.exit).toBe(1);
  expect(smoke.output()).toMatch(
    /sandbox_unreachable: The code sandbox at http:\/\/127\.0\.0\.1:1 can't be reached/,
  );
});

it("npm run smoke tells that nobody answers, and how it is called", async () => {
  await using nobody = launch("smoke", { args: ["http://127.0.0.1:2"] });
  expect(await nobody.exit).toBe(1);
  expect(nobody.output()).toMatch(/FAILED {2}it is up: fetch failed/);
  await using wrong = launch("smoke");
  expect(await wrong.exit).toBe(2);
  expect(wrong.output()).toMatch(/Usage: npm run smoke/);
});
