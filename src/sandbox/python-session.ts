import type { Artifact, FileBody, SessionFiles } from "../files/files.ts";
import {
  ContextLostError,
  type ArtifactReport,
  type ContextInfo,
  type Execution,
  type ExecutionEvent,
  type Sandbox,
  type SandboxPlugin,
  type VariableSummary,
} from "./sandbox.ts";

export interface ExecutionResult {
  status: "success" | "failure" | "timeout" | "interrupted" | "lost";
  /** Python's repr of the cell's value, when it has one. */
  value?: string;
  stdout: string;
  stderr: string;
  /** The traceback, or why the interpreter was lost. */
  error?: string;
  artifacts: Artifact[];
  /** Session variables that the code has set. */
  sessionVariables: Record<string, string>;
  variables: VariableSummary[];
  durationMs: number;
  /** The identity of the interpreter's memory that holds now. */
  generation: string;
}

export interface PythonSession {
  /** Has the interpreter ready, which otherwise the first code does. */
  open(): Promise<ContextInfo>;
  /**
   * Runs code once: under the id of an execution that is known already, its result is told again. Fails only when the
   * sandbox does; what the code does wrong is in the result.
   */
  run(options: {
    executionId: string;
    postId: string;
    code: string;
    timeoutMs: number;
    signal?: AbortSignal;
    onEvent?: (event: ExecutionEvent) => void;
    onCall?: Execution["onCall"];
    onArtifact?: (artifact: Artifact) => void;
  }): Promise<ExecutionResult>;
}

/**
 * The session's interpreter, whatever sandbox it lives in: brings its plugins, variables and files along, and what its
 * code produced back. A turn has its own; the interpreter itself lives on in the sandbox.
 */
export function createPythonSession(options: {
  sandbox: Sandbox;
  contextId: string;
  plugins: SandboxPlugin[];
  /** The session's variables as they are now. */
  variables: () => Record<string, string>;
  /** Told of an interpreter that was made, and of plugins that can't be used in it. */
  onOpen?: (context: ContextInfo) => void;
  files: SessionFiles;
  /** The memory that earlier code of this session ran in; undefined before any did. */
  knownGeneration: string | undefined;
  /** Uploads that replace what the working folder may hold under their names. */
  freshFiles: string[];
  roundId: string;
}): PythonSession {
  const { sandbox, contextId, files } = options;
  let { knownGeneration } = options;
  let opened: Promise<ContextInfo> | undefined;

  async function open(): Promise<ContextInfo> {
    const context = await sandbox.open(contextId, {
      plugins: options.plugins,
      variables: options.variables(),
    });
    options.onOpen?.(context);
    // Not whether it was made just now: whoever made it may have died before it brought the files.
    await bringFiles(knownGeneration !== undefined && knownGeneration !== context.generation);
    return context;
  }

  /** The working folder of an interpreter that stands in for another one is to be as that left it. */
  async function bringFiles(standsIn: boolean): Promise<void> {
    const [uploads, made] = await Promise.all([files.listUploads(), standsIn ? files.listArtifacts() : []]);
    // Code may have changed an upload since it came; the newest version of a file comes last.
    const wanted = new Map<string, () => Promise<FileBody | undefined>>(
      uploads.map(({ name }) => [name, () => files.getUpload(name)]),
    );
    for (const { id, path } of made) {
      if (path !== null && !options.freshFiles.includes(path)) wanted.set(path, () => files.getArtifact(id));
    }
    if (wanted.size === 0) return;
    const present = new Set(await sandbox.listFiles(contextId));
    for (const [path, read] of wanted) {
      if (present.has(path) && !options.freshFiles.includes(path)) continue;
      const file = await read();
      if (file) await sandbox.putFile(contextId, path, file.body, file.size);
    }
  }

  async function keepArtifact(report: ArtifactReport, postId: string): Promise<Artifact | undefined> {
    const file = await sandbox.getFile(contextId, report.file);
    if (!file) return undefined;
    const artifact: Artifact = {
      id: `${postId}-${report.id}`,
      name: report.name,
      kind: report.kind,
      mime: report.mime,
      size: file.size,
      description: report.description,
      roundId: options.roundId,
      postId,
      createdAt: Date.now(),
      path: report.file,
    };
    await files.putArtifact(artifact, file);
    return artifact;
  }

  /** A failure is not kept: whoever comes next tries again. */
  async function openOnce(): Promise<ContextInfo> {
    opened ??= open();
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  }

  return {
    open: openOnce,

    async run({ executionId, postId, code, timeoutMs, signal, onEvent, onCall, onArtifact }) {
      const result: ExecutionResult = {
        status: "lost",
        stdout: "",
        stderr: "",
        artifacts: [],
        sessionVariables: {},
        variables: [],
        durationMs: 0,
        generation: "",
      };
      const reports: ArtifactReport[] = [];
      let stopped: Promise<void> | undefined;
      // That it can't be interrupted is no reason to go on waiting for it: its own time limit ends it.
      const stop = () => void (stopped = sandbox.interrupt(contextId).catch(() => {}));
      signal?.addEventListener("abort", stop, { once: true });
      try {
        const { generation } = await openOnce();
        result.generation = generation;
        // Code is written for the variables that its author saw: without them it is not run.
        if (knownGeneration !== undefined && knownGeneration !== generation)
          throw new ContextLostError(contextId);
        const execution = {
          executionId,
          code,
          timeoutMs,
          generation,
          ...(signal ? { signal } : {}),
          ...(onCall ? { onCall } : {}),
        };
        for await (const event of sandbox.execute(contextId, execution)) {
          onEvent?.(event);
          if (event.type === "artifact") reports.push(event);
          else collect(result, event);
        }
        for (const report of reports) {
          const artifact = await keepArtifact(report, postId);
          if (!artifact) continue;
          result.artifacts.push(artifact);
          onArtifact?.(artifact);
        }
      } catch (error) {
        if (!(error instanceof ContextLostError)) throw error;
        collect(result, { type: "lost", reason: "it was gone before the code could run" });
      } finally {
        signal?.removeEventListener("abort", stop);
        await stopped;
      }
      if (result.status === "lost") {
        opened = open();
        knownGeneration = result.generation = (await opened).generation;
      }
      return result;
    },
  };
}

function collect(result: ExecutionResult, event: ExecutionEvent): void {
  switch (event.type) {
    case "stdout":
      result.stdout += event.text;
      return;
    case "stderr":
      result.stderr += event.text;
      return;
    case "result":
      result.value = event.text;
      return;
    case "error":
      result.error = event.traceback;
      return;
    case "done":
      result.status = event.status;
      result.durationMs = event.durationMs;
      result.variables = event.variables;
      return;
    case "lost":
      result.status = "lost";
      result.error =
        `The interpreter was lost (${event.reason}). A new one has been started: the variables of earlier steps are` +
        " gone, the files in the working folder are still there. Make again what is needed, then go on.";
      return;
    case "session_var":
      result.sessionVariables = { ...result.sessionVariables, [event.name]: event.value };
      return;
    case "started":
    case "display":
    case "artifact":
    case "log":
      return;
    default:
      event satisfies never;
  }
}
