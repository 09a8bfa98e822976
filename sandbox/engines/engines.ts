import { SandboxError } from "../errors.ts";
import type { Engine } from "./engine.ts";

export interface EngineReport {
  name: string;
  available: boolean;
  python?: string;
  description?: string;
  packages?: Record<string, string | null>;
  /** Why it isn't available. */
  reason?: string;
}

/** The engines that could be started, and why the others couldn't. */
export interface Engines {
  readonly default: Engine;
  /** The named one; throws a refusal that says why it isn't there. */
  get(name: string): Engine;
  /** Undefined when it isn't there. */
  find(name: string): Engine | undefined;
  list(): EngineReport[];
  close(): Promise<void>;
}

/** Starts every engine. Without the default one there is no server; another may be missing. */
export async function startEngines(
  defaultName: string,
  creators: Record<string, () => Promise<Engine>>,
): Promise<Engines> {
  const started = new Map<string, Engine>();
  const reasons = new Map<string, string>();
  const starts = Object.entries(creators).map(async ([name, create]) => {
    try {
      started.set(name, await create());
    } catch (error) {
      reasons.set(name, (error as Error).message);
    }
  });
  await Promise.all(starts);
  const close = async (): Promise<void> => {
    await Promise.all([...started.values()].map((engine) => engine.close()));
  };
  const preferred = started.get(defaultName);
  if (!preferred) {
    await close();
    throw new Error(`The engine ${defaultName} can't be started. ${reasons.get(defaultName)}`);
  }
  return {
    default: preferred,
    close,
    find: (name) => started.get(name),
    get(name) {
      const engine = started.get(name);
      if (engine) return engine;
      const known = Object.keys(creators);
      const reason = reasons.get(name) ?? `There are ${known.join(" and ")}.`;
      throw new SandboxError("unsupported", `The engine ${name} isn't available here. ${reason}`);
    },
    list: () =>
      Object.keys(creators).map((name) => {
        const engine = started.get(name);
        if (!engine) return { name, available: false, reason: reasons.get(name) ?? "" };
        const { python, description, packages } = engine;
        return { name, available: true, python, description, packages };
      }),
  };
}
