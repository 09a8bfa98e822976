import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { repositoryPath } from "./content/compile.ts";
import { isSecretKey } from "../src/config/secrets.ts";
import { describeEnd, startChild, type Child } from "./stack/child.ts";
import { startModelTape, type ModelTape } from "./model-tape/server.ts";
import { tapeSettings, type TapeSettings } from "./model-tape/settings.ts";
import { claimPort } from "./stack/ports.ts";
import { readPort, readSettings, StackError } from "./stack/settings.ts";
import { watchContent } from "./stack/watch-content.ts";
import { migrateLocally, startWorker } from "./stack/wrangler.ts";

export interface Stack {
  url: string;
  modelName: string;
  /** Where the model's answers are recorded or played from. */
  tape?: TapeSettings;
  /** The model is the demo's own: rules, not a language model. */
  demoModel: boolean;
  /** No key is asked for. */
  open: boolean;
  /** Resolves with what to tell when one of the processes ends by itself. */
  died: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts all that a local deployment needs and isn't elsewhere already: the sandbox unless SANDBOX_URL is set, the demo
 * model unless a key or address of a model is, the local database, the Worker. Resolves when all answer.
 */
export async function startStack(options: {
  /** `free`: any free ports and a state of its own that goes with it; `configured`: as the settings say. */
  ports?: "free" | "configured";
  projectPath?: string;
  stateDir?: string;
  /** What is being done. */
  onStatus?: (text: string) => void;
  /** What the processes say. */
  onLine?: (line: string) => void;
}): Promise<Stack> {
  const { onStatus = () => {}, onLine = () => {} } = options;
  const isFree = options.ports === "free";
  const projectPath = resolve(options.projectPath ?? repositoryPath);
  const settings = readSettings([repositoryPath, projectPath]);
  const ownStateDir = options.stateDir ?? (isFree ? undefined : (settings.STATE_DIR ?? ".wrangler/state"));
  const stateDir = resolve(ownStateDir ?? mkdtempSync(join(tmpdir(), "taskweaver-")));
  const port = await claimPort(isFree ? 0 : readPort(settings, "PORT", 8787), "PORT");
  const children: Child[] = [];
  let content: Awaited<ReturnType<typeof watchContent>> | undefined;
  let tape: ModelTape | undefined;
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    content?.stop();
    await Promise.all(children.map((child) => child.stop()));
    await tape?.close();
    if (ownStateDir === undefined) rmSync(stateDir, { recursive: true, force: true });
  }
  const stop = () => (stopping ??= stopAll());

  async function startSandbox(): Promise<Record<string, string>> {
    if (settings.SANDBOX_URL) {
      return { SANDBOX_URL: settings.SANDBOX_URL, SANDBOX_TOKEN: settings.SANDBOX_TOKEN ?? "" };
    }
    onStatus("starting the code sandbox");
    const token = settings.SANDBOX_TOKEN ?? randomBytes(24).toString("hex");
    const sandboxPort = await claimPort(
      isFree ? 0 : readPort(settings, "SANDBOX_PORT", 8788),
      "SANDBOX_PORT",
    );
    const child = await startChild({
      name: "code sandbox",
      args: [join(repositoryPath, "sandbox/main.ts")],
      env: {
        PATH: process.env.PATH ?? "",
        ...sandboxSettings(settings),
        SANDBOX_PORT: String(sandboxPort),
        SANDBOX_TOKEN: token,
        STATE_DIR: stateDir,
        SANDBOX_LEASH: "stdin",
      },
      onLine,
      ready: { line: /^sandbox ready / },
    });
    children.push(child);
    return { SANDBOX_URL: addressIn(child.readyLine), SANDBOX_TOKEN: token };
  }

  async function startModel(taped: TapeSettings | undefined): Promise<Record<string, string>> {
    const isSet = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_API_KEY", "LLM_API_BASE"].some(
      (name) => settings[name],
    );
    const isInProject = content!.secrets.LLM_API_KEY ?? content!.config["llm.api_base"];
    if (isSet || isInProject) return {};
    // Nobody is asked, so nobody has to be there.
    if (taped?.mode === "playback_only" || taped?.mode === "fixed") return { OPENAI_API_KEY: "taped" };
    onStatus("starting the demo model");
    const child = await startChild({
      name: "demo model",
      args: [join(repositoryPath, "dev/demo-model/main.ts")],
      env: { PATH: process.env.PATH ?? "", DEMO_MODEL_PORT: "0", DEMO_MODEL_LEASH: "stdin" },
      onLine,
      ready: { line: /^demo model ready / },
    });
    children.push(child);
    return {
      OPENAI_BASE_URL: `${addressIn(child.readyLine)}/v1`,
      OPENAI_API_KEY: "demo",
      OPENAI_MODEL: DEMO_MODEL,
    };
  }

  try {
    onStatus("compiling the project's files");
    const isRepository = projectPath === repositoryPath;
    const outFolder = isRepository ? join(repositoryPath, "src/content") : join(stateDir, "content");
    content = await watchContent({ projectPath, outFolder, onLine });
    const taped = tapeSettings({ projectPath, config: content.config, environment: settings });
    const secrets = Object.entries({ ...settings, ...content.secrets })
      .filter(([name]) => isSecretKey(name))
      .map(([, secret]) => secret);
    if (taped) tape = await startModelTape(taped, secrets);
    const [sandbox, model] = await Promise.all([startSandbox(), startModel(taped), migrateLocally(stateDir)]);
    onStatus("starting the Worker");
    const apiKeys = isFree ? undefined : settings.API_KEYS;
    const known = new Set([
      "OPENAI_API_KEY",
      "OPENAI_BASE_URL",
      "OPENAI_MODEL",
      "OPENAI_EMBEDDING_MODEL",
      "LINK_SECRET",
      "ACCESS_TEAM_DOMAIN",
      "ACCESS_AUD",
      ...content.variableNames,
    ]);
    const forWorker = Object.entries(settings).filter(
      ([name]) => known.has(name) || name.startsWith("PLUGIN_"),
    );
    children.push(
      await startWorker({
        port,
        stateDir,
        contentModule: content.modulePath,
        variables: {
          // Links last as long as the stack when nobody chose a secret.
          LINK_SECRET: randomBytes(24).toString("hex"),
          // Wrangler tells of them already.
          LOG_REQUESTS: "false",
          ...content.secrets,
          ...Object.fromEntries(forWorker),
          ...sandbox,
          ...model,
          ...(tape ? { MODEL_TAPE_URL: tape.url } : {}),
          ...(apiKeys === undefined ? { OPEN_MODE: "1" } : { API_KEYS: apiKeys }),
        },
        onLine,
      }),
    );
    return {
      url: `http://127.0.0.1:${port}`,
      modelName: model.OPENAI_MODEL ?? settings.OPENAI_MODEL ?? settings.LLM_MODEL ?? "the configured model",
      demoModel: model.OPENAI_MODEL === DEMO_MODEL,
      ...(taped ? { tape: taped } : {}),
      open: apiKeys === undefined,
      died: Promise.race(children.map((child) => child.ended.then(() => describeEnd(child)))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the bundled sandbox is told of its own settings. */
const sandboxSettings = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith("SANDBOX_")));

const DEMO_MODEL = "taskweaver-demo";

function addressIn(line: string): string {
  const [address] = /http:\/\/\S+/.exec(line) ?? [];
  if (!address) throw new StackError(`No address in: ${line}`);
  return address;
}
