import { describe, expect, it } from "vitest";
import { readCommand } from "../../dev/keys/commands.ts";
import { launch } from "../support/launcher.ts";

describe("the keys of the API", () => {
  it.each([
    [[], /Usage/],
    [["add", "ci"], /--tenant/],
    [["add", "a b", "--tenant", "t"], /"a b" can't be a name/],
    [["add", "ci", "--tenant", "t", "--scopes", "chat,everything"], /no scope "everything"/],
    [["add", "ci", "--tenant", "t", "--expires", "soon"], /--expires takes/],
    [["revoke", "' OR 1"], /by its id/],
    [["add", "ci", "--tenant", "t", "--colour"], /Usage/],
  ])("are not made by %j", async (args, message) => {
    await expect(readCommand(args)).rejects.toThrow(message);
  });

  it("are made, taken, listed and revoked on this machine", async () => {
    await using server = launch("start");
    const url = await server.ready();
    const keys = async (...args: string[]) => {
      await using run = launch("keys", { args, stateDir: server.stateDir });
      if ((await run.exit) !== 0) throw new Error(run.output());
      return run.output();
    };
    const [key = "", told = ""] = (
      await keys("add", "ci", "--tenant", "team", "--scopes", "chat", "--expires", "30d")
    ).split("\n");
    expect(key).toMatch(/^twe_[0-9a-f]{12}_[0-9a-f]{48}$/);
    expect(told).toContain("of team, good for chat until");
    const call = (path: string, init: RequestInit = {}) =>
      fetch(url + path, {
        ...init,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      });
    expect((await call("/v1/sessions", { method: "POST", body: '{"roles": ["echo"]}' })).status).toBe(201);
    expect((await call("/v1/config")).status).toBe(403);
    // In open mode one without a key is another tenant.
    expect(await (await fetch(`${url}/v1/sessions`)).json()).toMatchObject({ data: [] });

    const id = key.split("_")[1]!;
    const list = await keys("list");
    expect(list).toMatch(new RegExp(`${id} +ci +team +chat +good`));
    expect(list).not.toContain(key);
    expect(await keys("revoke", id)).toContain("is revoked");
    expect(await keys("list")).toMatch(new RegExp(`${id} .* revoked`));
  }, 120_000);
});
