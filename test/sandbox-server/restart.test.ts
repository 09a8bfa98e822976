import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ErrorBody } from "../../sandbox/protocol.ts";
import { forEachEngine } from "./engines.ts";
import { outcomeOf, readEvents, startSandbox } from "./support.ts";

vi.setConfig({ testTimeout: 60_000 });

forEachEngine((engine) => {
  test.concurrent("a restarted server replays what ended, never repeats it, and says what was lost", async () => {
    await using first = await startSandbox({ engine });
    const context = await first.context({ id: "tenant/session 1".replaceAll(/[/ ]/g, encodeURIComponent) });
    const code = "open('log','a').write('ran ')\nopen('log').read()";
    const before = await context.run(code, { execution_id: "done" });
    void context.start(`${code}\nimport time; time.sleep(30)`, { execution_id: "cut" }).catch(() => {});
    await sleep(300);
    await first.stop("SIGKILL");

    await using second = await startSandbox({ engine, stateDir: first.stateDir });
    const post = (body: Record<string, unknown>) =>
      second.request(`${context.path}/executions`, { method: "POST", body: JSON.stringify(body) });
    const read = async (body: Record<string, unknown>) => outcomeOf(await readEvents(await post(body)));

    expect((await read({ execution_id: "done", code, generation: "gone" })).events).toEqual(before.events);
    expect((await read({ execution_id: "cut", code })).lost).toMatchObject({ reason: "server_restarted" });
    expect(
      (await read({ execution_id: "cut", code })).events.filter(({ type }) => type === "lost"),
    ).toHaveLength(1);
    expect((await read({ execution_id: "cut", code, after: 99 })).lost).toBeDefined();

    const lost = await post({ execution_id: "new", code, generation: context.info.generation });
    expect([lost.status, ((await lost.json()) as ErrorBody).error.code]).toEqual([409, "context_lost"]);
    const unknown = await post({ execution_id: "new", code });
    expect([unknown.status, ((await unknown.json()) as ErrorBody).error.code]).toEqual([
      404,
      "context_not_found",
    ]);

    const put = await second.request(context.path, { method: "PUT", body: "{}" });
    expect(put.status).toBe(201);
    expect((await read({ execution_id: "new", code: "open('log').read()" })).result).toBe("'ran ran '");
  });

  test.concurrent("the last twenty executions can be replayed; an older one still never runs again", async () => {
    await using sandbox = await startSandbox({ engine });
    const context = await sandbox.context();
    for (let index = 0; index < 22; index++) {
      await context.run("open('log','a').write('x')", { execution_id: `e${index}` });
      await sleep(5);
    }
    expect((await context.run("", { execution_id: "e0", after: 7 })).lost).toMatchObject({
      reason: "expired",
      seq: 8,
    });
    expect((await context.run("", { execution_id: "e21" })).done?.status).toBe("success");
    expect((await context.run("len(open('log').read())")).result).toBe("22");
  });
});
