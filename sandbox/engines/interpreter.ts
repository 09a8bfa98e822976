import { rename } from "node:fs/promises";
import type { LostReason, PluginReport } from "../protocol.ts";
import type { CellOptions, CellOutcome, Interpreter } from "./engine.ts";
import { cellEvent, cellReport, configured } from "./messages.ts";
import type { CellReport } from "./messages.ts";
import type { EngineProcess } from "./engine-process.ts";

const CONFIGURE_LIMIT_MS = 30_000;
/** More than the runner's own limits ever let through; past it the process is no longer our runner. */
const CELL_LIMIT = 64 * 1024 * 1024;

type Message = Record<string, unknown>;

export interface InterpreterOptions {
  process: EngineProcess;
  contextId: string;
  graceMs: number;
  /** What the process needs to know before anything else. */
  open: Message;
  /** Where the process writes its memory when told to suspend; undefined when it can't. */
  memoryFile?: string;
}

/** Drives one engine process: a command in, messages until it says `idle`. */
export async function createInterpreter(options: InterpreterOptions): Promise<Interpreter> {
  const { process, graceMs, memoryFile } = options;
  let lostReason: LostReason = "crashed";
  let lastWords = "";
  let running: { stopped?: "timeout" | "interrupted"; hardLimit?: NodeJS.Timeout } | undefined;

  const killWith = (reason: LostReason): void => {
    if (process.alive) lostReason = reason;
    process.kill();
  };

  /** True when the process went idle again, false when it ended. The soft deadline is the child's, the hard one ours. */
  async function command(message: Message, timeoutMs: number, onMessage: (message: Message) => void) {
    const idle = Promise.withResolvers<boolean>();
    const hardLimit = setTimeout(() => killWith("killed"), timeoutMs + graceMs);
    let size = 0;
    process.onMessage = (answer, length) => {
      size += length;
      if (size > CELL_LIMIT) killWith("output_limit");
      else if (answer["type"] === "idle") idle.resolve(true);
      else if (answer["type"] === "fatal") lastWords = String(answer["message"]).slice(-2000);
      else onMessage(answer);
    };
    void process.exited.then(() => idle.resolve(false));
    process.send({ ...message, timeout_ms: timeoutMs });
    try {
      return await idle.promise;
    } finally {
      clearTimeout(hardLimit);
      process.onMessage = () => {};
    }
  }

  async function configure({ plugins, variables }: Parameters<Interpreter["configure"]>[0]) {
    let reports: PluginReport[] | undefined;
    const message = { type: "configure", context_id: options.contextId, plugins, variables };
    await command(message, CONFIGURE_LIMIT_MS, (answer) => {
      reports = configured.safeParse(answer).data?.plugins ?? reports;
    });
    if (!reports) {
      killWith("crashed");
      throw new Error("The interpreter ended while plugins were loaded.");
    }
    return reports;
  }

  async function run(cell: CellOptions): Promise<CellOutcome> {
    const startedAt = performance.now();
    let report: CellReport | undefined;
    const current: NonNullable<typeof running> = {};
    running = current;
    const { executionId, index, code, timeoutMs, onEvent } = cell;
    const idle = await command(
      { type: "run", execution_id: executionId, index, code },
      timeoutMs,
      (message) => {
        const event = cellEvent.safeParse(message);
        if (event.success) onEvent(event.data);
        else report = cellReport.safeParse(message).data ?? report;
      },
    );
    clearTimeout(current.hardLimit);
    running = undefined;
    if (!idle || !report) {
      process.kill();
      return { type: "lost", reason: lostReason };
    }
    if (report.interrupted && performance.now() - startedAt >= timeoutMs) current.stopped ??= "timeout";
    return {
      type: "finished",
      status: report.status,
      ...(report.interrupted && current.stopped ? { stopped: current.stopped } : {}),
      ...(report.error ? { error: report.error } : {}),
      ...(report.truncated ? { truncated: true } : {}),
      filesChanged: report.files_changed,
      variables: report.variables,
    };
  }

  async function suspend(file: string): Promise<boolean> {
    if (memoryFile === undefined) return false;
    let written = false;
    const idle = await command({ type: "suspend" }, CONFIGURE_LIMIT_MS, ({ type }) => {
      written ||= type === "suspended";
    });
    if (!idle || !written) return false;
    await rename(memoryFile, file);
    process.kill();
    await process.exited;
    return true;
  }

  const opened = await command({ ...options.open, type: "open" }, CONFIGURE_LIMIT_MS, () => {});
  if (!opened)
    throw new Error(`The interpreter could not be opened: ${lastWords || process.complaint || "no message"}`);

  return {
    get alive() {
      return process.alive;
    },
    exited: process.exited,
    configure,
    run,
    suspend,
    answer(callId, answer) {
      if (running) process.send({ ...answer, type: "answer", call_id: callId });
    },
    interrupt() {
      if (!running || running.hardLimit) return;
      running.stopped = "interrupted";
      running.hardLimit = setTimeout(() => killWith("killed"), graceMs);
      process.interrupt();
    },
    kill: killWith,
  };
}
