import { describe, expect, it } from "vitest";
import type { KernelHost } from "../../src/sandbox/kernel-host.ts";
import { createKernelSandbox } from "../../src/sandbox/kernel-sandbox.ts";
import { ContextLostError } from "../../src/sandbox/sandbox.ts";

/** A host with files only, whose kernels end as they are told and which believes that nothing runs. */
function hostOfFiles({ outcome = "died" as "died" | "cut" } = {}) {
  const files = new Map<string, string>();
  const calls: string[] = [];
  const host: KernelHost = {
    where: "here",
    ensure: async () => {},
    run: async () => outcome,
    isBusy: async () => false,
    interrupt: async () => void calls.push("interrupt"),
    restart: async () => void calls.push("restart"),
    close: async () => {},
    async readFile(path) {
      const text = files.get(path);
      return text === undefined ? undefined : { body: new Blob([text]).stream(), size: text.length };
    },
    writeFile: async (path, { body }) => void files.set(path, await new Response(body).text()),
    listFiles: async () => [],
    remove: async (path) => void files.delete(path),
  };
  return { host, files, calls };
}

const execution = { executionId: "one", code: "1", timeoutMs: 100, generation: "gone" };

describe("kernels of a host that is behind", () => {
  it("are interrupted by the name of what runs, whatever the host believes", async () => {
    const { host, files, calls } = hostOfFiles();
    files.set("tw-a.taskweaver/running", "execution-1");
    const stopping = createKernelSandbox(host, { graceMs: 5000 }).interrupt("a");
    await expect.poll(() => files.get("tw-a.taskweaver/interrupt")).toBe("execution-1");
    files.set("tw-a.taskweaver/running", "execution-2");
    await stopping;
    expect(calls).toEqual([]);
  });

  it("are not restarted for the mark of one that has died", async () => {
    const { host, files, calls } = hostOfFiles();
    files.set("tw-a.taskweaver/running", "execution-1");
    await createKernelSandbox(host, { graceMs: 10 }).interrupt("a");
    expect(calls).not.toContain("restart");
  });

  it("that died before they came to an execution have run nothing", async () => {
    const { host, files } = hostOfFiles();
    const events = createKernelSandbox(host).execute("a", execution)[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toThrow(ContextLostError);
    expect([...files]).toEqual([]);
  });

  it("whose connection broke are followed, and given up when nothing runs there", async () => {
    const { host, files } = hostOfFiles({ outcome: "cut" });
    const told = [];
    for await (const event of createKernelSandbox(host).execute("a", execution)) told.push(event);
    expect(told).toEqual([{ type: "lost", reason: "crashed" }]);
    // It must not run any more when it arrives late.
    expect([...files.keys()].filter((path) => path.includes("/executions/"))).toHaveLength(1);
  });
});
