import { createInterface } from "node:readline/promises";
import { runDemo, type DemoStack } from "./demo/run-demo.ts";
import { startStack } from "./stack.ts";

// `npm run demo -- "question" [--file path]…`: one task in the terminal, shown as it goes.

const CTRL_C = "\u0003";
const history: string[] = [];
const interruptListeners = new Set<() => void>();
let stack: DemoStack | undefined;

/** Asks for a line of the conversation; undefined at its end. Between two lines the terminal is left alone. */
async function askLine(prompt: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, history: [...history] });
  try {
    const ended = new Promise<undefined>((resolve) => {
      terminal.once("close", () => resolve(undefined));
      terminal.once("SIGINT", () => resolve(undefined));
    });
    const line = await Promise.race([terminal.question(prompt).catch(() => undefined), ended]);
    if (line?.trim()) history.unshift(line);
    return line;
  } finally {
    terminal.close();
  }
}

/**
 * While somebody listens, Ctrl-C is read as a key: as a signal the terminal would send it to the whole process group, and
 * with it end the very server that is to cancel the round.
 */
function onInterrupt(listener: () => void): () => void {
  const hearKey = (key: Buffer) => key.toString().includes(CTRL_C) && listener();
  interruptListeners.add(listener);
  if (process.stdin.isTTY) {
    process.stdin.setRawMode(true).resume().on("data", hearKey);
  }
  return () => {
    interruptListeners.delete(listener);
    if (process.stdin.isTTY) process.stdin.off("data", hearKey).setRawMode(false).pause();
  };
}

async function leave(code: number): Promise<never> {
  await stack?.stop();
  process.exit(code);
}

process.on("SIGINT", () => {
  if (interruptListeners.size === 0) void leave(130);
  else interruptListeners.forEach((listener) => listener());
});
process.once("SIGTERM", () => void leave(143));
process.once("SIGHUP", () => void leave(129));

process.exit(
  await runDemo(process.argv.slice(2), {
    startStack: async (options) => (stack = await startStack(options)),
    output: process.stdout,
    environment: process.env,
    folder: process.cwd(),
    askLine: process.stdin.isTTY ? askLine : undefined,
    onInterrupt,
  }),
);
