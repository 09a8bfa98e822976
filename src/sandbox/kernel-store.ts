import { sha256Hex } from "../lib/digest.ts";
import type { KernelHost } from "./kernel-host.ts";
import type { CallAnswer } from "./sandbox.ts";

/** One line of an execution's file: an event with its number. */
export interface StoredEvent {
  type: string;
  seq: number;
  [key: string]: unknown;
}

/** What our Python keeps beside a kernel's working folder, and what it finds there. */
export function createKernelStore(host: KernelHost, folder: string) {
  const nameOf = async (executionId: string) => (await sha256Hex(executionId)).slice(0, 40);
  const pathOf = async (executionId: string) => `${folder}/executions/${await nameOf(executionId)}.ndjson`;

  async function readText(path: string): Promise<string | undefined> {
    const file = await host.readFile(path);
    return file && (await new Response(file.body).text());
  }

  async function writeText(path: string, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    await host.writeFile(path, { body: new Response(bytes).body!, size: bytes.length });
  }

  /** Undefined when the execution was never seen here. */
  async function events(executionId: string): Promise<StoredEvent[] | undefined> {
    const text = await readText(await pathOf(executionId));
    // A line that is being written has no end yet.
    const lines = text?.split("\n").slice(0, -1);
    return lines?.map((line) => JSON.parse(line) as StoredEvent);
  }

  return {
    events,
    nameOf,
    /** The name of the execution that runs, or ran when its kernel died. */
    running: () => readText(`${folder}/running`),
    /** Stops that execution, and none that comes after it. */
    interrupt: (name: string) => writeText(`${folder}/interrupt`, name),
    /** Of the memory that code runs in now; undefined when that isn't known. */
    generation: async () => (await readText(`${folder}/generation`)) || undefined,
    /** Says for good that an execution was lost, and the memory with it: the same id tells it again. */
    async addLost(executionId: string, reason: string): Promise<StoredEvent> {
      const known = (await events(executionId)) ?? [];
      const lost = { type: "lost", reason, seq: (known.at(-1)?.seq ?? 0) + 1 };
      const lines = [...known, lost].map((event) => `${JSON.stringify(event)}\n`);
      await writeText(await pathOf(executionId), lines.join(""));
      await writeText(`${folder}/generation`, "");
      await host.remove(`${folder}/running`);
      return lost;
    },
    async answer(executionId: string, callId: string, answer: CallAnswer): Promise<void> {
      const path = `${folder}/answers-${await nameOf(executionId)}/${callId}.json`;
      await writeText(path, JSON.stringify({ call_id: callId, ...answer }));
    },
  };
}
