import type { Execution, ExecutionEvent, Sandbox, SandboxPlugin } from "../../../src/sandbox/sandbox.ts";

export type OpenOptions = { plugins?: SandboxPlugin[]; variables?: Record<string, string> };
type EventOf<Type extends ExecutionEvent["type"]> = Extract<ExecutionEvent, { type: Type }>;
type RunOptions = Partial<Execution> & { onEvent?: (event: ExecutionEvent) => void };
export type TestContext = Awaited<ReturnType<typeof createTestContext>>;
export type Outcome = ReturnType<typeof outcomeOf>;

/** Runs code in a context by way of any driver. */
export function createRun(sandbox: Sandbox, { id, newId }: { id: string; newId: () => string }) {
  return async (code: string, { onEvent, ...options }: RunOptions = {}): Promise<Outcome> => {
    const events: ExecutionEvent[] = [];
    const execution = { executionId: newId(), code, timeoutMs: 20_000, ...options };
    for await (const event of sandbox.execute(id, execution)) {
      events.push(event);
      onEvent?.(event);
    }
    return outcomeOf(events);
  };
}

export async function createTestContext(sandbox: Sandbox, id: string, options: OpenOptions) {
  let executions = 0;
  const newId = () => `${id}-${++executions}-${Math.random()}`;
  const open = (wanted: OpenOptions = {}) => sandbox.open(id, { plugins: [], variables: {}, ...wanted });
  const context = {
    id,
    newId,
    info: await open(options),
    async open(wanted: OpenOptions = {}) {
      return (context.info = await open(wanted));
    },
    run: createRun(sandbox, { id, newId }),
    put: (path: string, bytes: Uint8Array) =>
      sandbox.putFile(id, path, new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(), bytes.length),
    async get(path: string) {
      const file = await sandbox.getFile(id, path);
      return file && { size: file.size, bytes: new Uint8Array(await new Response(file.body).arrayBuffer()) };
    },
    text: async (path: string) => new TextDecoder().decode((await context.get(path))?.bytes),
  };
  return context;
}

function outcomeOf(events: ExecutionEvent[]) {
  const all = <Type extends ExecutionEvent["type"]>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  const text = (type: "stdout" | "stderr") =>
    all(type)
      .map((event) => event.text)
      .join("");
  const done = all("done")[0];
  return {
    events,
    all,
    done,
    status: done?.status ?? all("lost")[0]?.type,
    stdout: text("stdout"),
    stderr: text("stderr"),
    value: all("result")[0]?.text,
    error: all("error")[0],
  };
}
