import type { ApiClient, Upload } from "./api-client.ts";
import type { Colours } from "./colours.ts";
import { listCommands, readLine, type CommandName } from "./commands.ts";
import { downloadArtifacts } from "./downloads.ts";
import type { Screen } from "./screen.ts";
import { describe, showRound } from "./show-round.ts";
import type { DemoStack } from "./run-demo.ts";
import { readUpload } from "./uploads.ts";

export interface ConversationOptions {
  client: ApiClient;
  screen: Screen;
  colours: Colours;
  folder: string;
  stack?: DemoStack;
  onInterrupt: (listener: () => void) => () => void;
}

/** One person's talk with the server: a session, the files for its next message, the commands. */
export function createConversation({
  client,
  screen,
  colours,
  folder,
  stack,
  onInterrupt,
}: ConversationOptions) {
  let session: string | undefined;
  let waiting: Upload[] = [];
  let rounds = 0;
  let left = false;
  const fetched = new Set<string>();
  const say = (text: string) => screen.write(`${text}\n`);

  async function ask(message: string): Promise<boolean> {
    session ??= await client.createSession();
    const files = waiting;
    const finished = await showRound({
      client,
      session,
      message,
      files,
      screen,
      colours,
      onInterrupt,
      onLeave: () => {
        left = true;
      },
    });
    waiting = waiting.filter((file) => !files.includes(file));
    rounds++;
    if (!left) await download(session);
    return finished;
  }

  async function download(from: string): Promise<void> {
    try {
      for (const path of await downloadArtifacts(client, from, { folder, fetched })) say(`saved ${path}`);
    } catch (error) {
      say(colours.red(`The artifacts could not be downloaded: ${describe(error)}`));
    }
  }

  function add(file: Upload): void {
    waiting = [...waiting.filter((other) => other.name !== file.name), file];
  }

  const commands: Record<Exclude<CommandName, "exit">, (argument: string) => void | Promise<void>> = {
    help: () => say(listCommands()),
    async load(path) {
      if (!path) return say("Say which file: /load <path>");
      add(await readUpload(path, folder));
      say(`${waiting.at(-1)?.name} goes with the next message.`);
    },
    async save() {
      if (!session) return say("There is nothing to save yet: ask something first.");
      const problem = await client.saveExperience(session).then(() => undefined, describe);
      say(
        problem === undefined
          ? "This session is being saved as experience."
          : colours.red(`Not saved: ${problem}`),
      );
    },
    info() {
      say(`server   ${client.url}`);
      if (stack)
        say(
          `model    ${stack.modelName}${stack.demoModel ? " (demo model: rules, not a language model)" : ""}`,
        );
      say(`session  ${session ?? "none yet"}, ${rounds} round(s)`);
      say(`files    ${waiting.map((file) => file.name).join(", ") || "none waiting"}`);
    },
    reset() {
      session = undefined;
      waiting = [];
      rounds = 0;
      say("The next message begins a new session.");
    },
    clear: () => screen.clear(),
  };

  /** Lines from the terminal until someone leaves; whether the last round finished. */
  async function talk(
    askLine: (prompt: string) => Promise<string | undefined>,
    finishedBefore: boolean,
  ): Promise<boolean> {
    let finished = finishedBefore;
    say(colours.dim("\nAsk on, or /help for the commands, /exit to leave."));
    while (!left) {
      const typed = await askLine("> ");
      if (typed === undefined) return finished;
      const line = readLine(typed);
      if (line.kind === "command" && line.name === "exit") return finished;
      try {
        if (line.kind === "command" && line.name !== "exit") await commands[line.name](line.argument);
        if (line.kind === "unknown")
          say(`There is no command /${line.name}; /help lists those that there are.`);
        if (line.kind === "message") finished = await ask(line.text);
      } catch (error) {
        // A conversation survives what a single message or command runs into.
        screen.status("");
        say(colours.red(describe(error)));
        if (line.kind === "message") finished = false;
      }
    }
    return finished;
  }

  return {
    ask,
    add,
    talk,
    /** Whether someone left by a second Ctrl-C. */
    get left() {
      return left;
    },
  };
}
