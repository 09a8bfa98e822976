import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readLock, readPyodideVersion, resolvePackages } from "../sandbox/packages/lock.ts";
import { repositoryPath } from "./content/compile.ts";
import { ContentError } from "./content/problem.ts";
import { offerPackages } from "./packages/offer.ts";
import { packagePlaces, WANTED } from "./packages/places.ts";
import { startStack, type Stack } from "./stack.ts";
import { readSettings, StackError } from "./stack/settings.ts";
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

/** What Python could have besides, where the sandbox is our own and somebody is there to be asked. */
async function offerMore(projectPath: string): Promise<void> {
  const settings = readSettings([repositoryPath, projectPath]);
  if (settings.SANDBOX_URL || settings.SANDBOX_ENGINE === "cpython") return;
  const packages = resolvePackages(readLock(), WANTED);
  const places = packagePlaces(settings, readPyodideVersion());
  await offerPackages({ ...places, packages, input: process.stdin, output: process.stdout });
}

const { project } = readArguments();
await offerMore(resolve(project ?? repositoryPath));
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
