import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ContentError } from "./content/problem.ts";
import { startStack, type Stack } from "./stack.ts";
import { StackError } from "./stack/settings.ts";
import { whenToldToStop } from "./stack/when-told-to-stop.ts";

// `npm start`: the whole server on this machine, with what isn't configured embedded.

function readArguments(): { project?: string } {
  try {
    return parseArgs({ options: { project: { type: "string" } } }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm start -- [--project PATH]`);
    process.exit(2);
  }
}

function introduce(stack: Stack): void {
  console.log(
    `model: ${stack.demoModel ? "the demo model (rules, not a language model). Set OPENAI_API_KEY for a real one" : stack.modelName}`,
  );
  if (stack.tape) console.log(`the model's answers: ${stack.tape.mode}, ${stack.tape.path}`);
  if (stack.open) console.log("warning: no API_KEYS are set, so everybody on this machine may call");
  console.log(`try it: npm run demo -- "how many days are left this year?" --url ${stack.url}`);
  console.log(`ready ${stack.url}`);
}

const { project } = readArguments();
const told = whenToldToStop();
let stack: Stack | undefined;
try {
  const starting = startStack({
    ...(project === undefined ? {} : { projectPath: resolve(project) }),
    onStatus: (text) => console.log(text),
    onLine: (line) => console.log(line),
  });
  const first = await Promise.race([starting, told]);
  if (first === "stop") {
    // Nothing may be left behind, also not what is starting just now.
    await starting.then(
      (started) => started.stop(),
      () => {},
    );
    process.exit(0);
  }
  stack = await starting;
  introduce(stack);
  const end = await Promise.race([told, stack.died]);
  await stack.stop();
  if (end !== "stop") throw new StackError(end);
  process.exit(0);
} catch (error) {
  await stack?.stop();
  if (!(error instanceof StackError || error instanceof ContentError)) throw error;
  console.error(
    error instanceof ContentError ? `The project's files have errors:\n${error.message}` : error.message,
  );
  process.exit(1);
}
