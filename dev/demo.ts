// `npm run demo -- "question" [--file path]…`: one task in the terminal, shown as it goes.
import { createInterface } from "node:readline/promises";
import type { StartStack } from "./demo/stack-contract.ts";
import { runDemo } from "./demo/run-demo.ts";

const history: string[] = [];

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

/** Loaded late: a demo of a running server, or one that is called wrongly, needs no stack. */
const startStack: StartStack = async (options) => {
  const stack = (await import(new URL("stack.ts", import.meta.url).href)) as { startStack: StartStack };
  return stack.startStack(options);
};

process.exit(
  await runDemo(process.argv.slice(2), {
    startStack,
    output: process.stdout,
    environment: process.env,
    folder: process.cwd(),
    askLine: process.stdin.isTTY ? askLine : undefined,
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      return () => process.off("SIGINT", listener);
    },
  }),
);
