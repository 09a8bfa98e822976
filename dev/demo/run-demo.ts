import { readFile } from "node:fs/promises";
import { ApiError, createApiClient, type Upload } from "./api-client.ts";
import { parseArguments, USAGE, UsageError, type DemoArguments } from "./arguments.ts";
import { chooseColours } from "./colours.ts";
import { createConversation } from "./conversation.ts";
import { createScreen, type Output, type Screen } from "./screen.ts";
import { describe } from "./show-round.ts";
import type { Stack, startStack } from "../stack.ts";
import { readUpload } from "./uploads.ts";

const SAMPLE_FILE = new URL("../sample/sales.csv", import.meta.url);
const SAMPLE_QUESTION =
  "Which region sold the most units, and what is the mean price by product? Draw a bar chart of the units by region.";

/** What the demo needs of a stack. */
export type DemoStack = Pick<Stack, "url" | "modelName" | "demoModel" | "stop">;

export interface DemoSurroundings {
  startStack: (options: Parameters<typeof startStack>[0]) => Promise<DemoStack>;
  output: Output;
  environment: Record<string, string | undefined>;
  /** Where paths start and where results are put. */
  folder: string;
  /** Asks for the next line of a conversation; there is none when nobody sits at the terminal. */
  askLine?: (prompt: string) => Promise<string | undefined>;
  /** Registers what Ctrl-C does; returns what takes it back. */
  onInterrupt: (listener: () => void) => () => void;
}

/** The demo from the command line to the exit code. */
export async function runDemo(words: string[], surroundings: DemoSurroundings): Promise<number> {
  const { output, environment, folder, askLine } = surroundings;
  const screen = createScreen(output);
  let stack: DemoStack | undefined;
  try {
    const given = parseArguments(words);
    if (given.help) {
      screen.write(`${USAGE}\n`);
      return 0;
    }
    const task = await chooseTask(given, { folder, canTalk: askLine !== undefined });
    const colours = chooseColours({ isTerminal: output.isTTY ?? false, noColor: environment.NO_COLOR });
    stack = given.url === undefined ? await start(surroundings, screen) : undefined;
    const client = createApiClient({
      url: stack?.url ?? given.url ?? "",
      key: given.key,
    });
    const conversation = createConversation({
      client,
      screen,
      colours,
      folder,
      stack,
      onInterrupt: surroundings.onInterrupt,
    });

    for (const file of task.files) conversation.add(file);
    let finished = true;
    if (task.question !== undefined) {
      finished = await conversation.ask(task.question);
    }
    if (task.goesOn && askLine && !conversation.left) finished = await conversation.talk(askLine, finished);
    return finished ? 0 : 1;
  } catch (error) {
    screen.status("");
    if (error instanceof UsageError) {
      screen.write(`${error.message}\n\n${USAGE}\n`);
      return 2;
    }
    screen.write(`${describe(error)}\n${hint(error)}`);
    return 1;
  } finally {
    screen.status("");
    await stack?.stop();
  }
}

interface Task {
  question?: string;
  files: Upload[];
  goesOn: boolean;
}

async function chooseTask(
  given: DemoArguments,
  { folder, canTalk }: { folder: string; canTalk: boolean },
): Promise<Task> {
  const files = await Promise.all(given.files.map((path) => readUpload(path, folder)));
  if (given.question !== undefined) return { question: given.question, files, goesOn: false };
  if (files.length > 0) {
    if (!canTalk) throw new UsageError("A file alone says nothing about what to do with it: add a question.");
    return { files, goesOn: true };
  }
  const sample = { name: "sales.csv", content: await readFile(SAMPLE_FILE) };
  return { question: SAMPLE_QUESTION, files: [sample], goesOn: canTalk };
}

async function start({ startStack }: DemoSurroundings, screen: Screen): Promise<DemoStack> {
  screen.status("starting TaskWeaver Edge");
  const stack = await startStack({ ports: "free", onStatus: (text) => screen.status(text) });
  screen.status("");
  const model = stack.demoModel
    ? "No model key is set, so the demo model answers: rules, not a language model. Set OPENAI_API_KEY for a real one."
    : `Model: ${stack.modelName}`;
  screen.write(`${model}\n`);
  return stack;
}

function hint(error: unknown): string {
  if (!(error instanceof ApiError)) return "";
  if (error.status === 401 || error.status === 403) return "Give the server's API key with --key.\n";
  if (error.status === 0) return "Check the address after --url and that the server runs.\n";
  return "";
}
