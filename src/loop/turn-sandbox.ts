import type { EmitEvent } from "../events/event.ts";
import { wireArtifact } from "../files/files.ts";
import type { Plugin } from "../plugins/plugin.ts";
import { createPythonSession, type ExecutionResult } from "../sandbox/python-session.ts";
import type { CallAnswer, ContextInfo, OutsideCall } from "../sandbox/sandbox.ts";
import type { TurnContext } from "./turn.ts";

/** A turn's use of the session's interpreter, and what code may ask of the world around it. */
export function createTurnSandbox(options: {
  context: TurnContext;
  postId: string;
  /** What the turn is called in its executions' ids: the same whenever it is taken up again. */
  turnId: string;
  roundId: string;
  knownGeneration: string | undefined;
  freshFiles: string[];
  emit: EmitEvent;
  /** Told of the time that the sandbox took. */
  onSpent(ms: number): void;
}) {
  const { context, postId, emit, onSpent } = options;
  const { abilities, session } = context;
  const { plugins, pluginHealth } = abilities;
  let python: ReturnType<typeof createPythonSession> | undefined;
  let executions = 0;

  const interpreter = () =>
    (python ??= createPythonSession({
      sandbox: abilities.sandbox,
      contextId: context.contextId,
      plugins: plugins.map(({ spec, source, hash, environment }) => ({
        name: spec.name,
        code: source,
        config: spec.configurations,
        hash,
        ...(environment ? { environment } : {}),
      })),
      variables: () => session.variables,
      onOpen: noteBroken,
      files: context.files,
      knownGeneration: options.knownGeneration,
      freshFiles: options.freshFiles,
      roundId: options.roundId,
    }));

  /** A listener hears of a broken plugin once for each interpreter, not once for each turn. */
  function noteBroken({ created, plugins: reports }: ContextInfo): void {
    pluginHealth.learn(plugins, reports);
    for (const { name, ok, error } of created ? reports : []) {
      const reason = error?.trim().split("\n").at(-1) ?? "no reason was given";
      if (!ok)
        emit("warning", { code: "plugin_failed", message: `The plugin ${name} can't be used: ${reason}` });
    }
  }

  /** Answered once: a turn that is taken up again has kept what it answered. */
  async function answer(executionId: string, call: OutsideCall): Promise<CallAnswer> {
    const key = `call/${executionId}/${call.callId}`;
    const kept = context.recall(key);
    if (kept) return kept.value as CallAnswer;
    const made = await abilities.callEdgePlugin(call, {
      session: { id: session.id, variables: session.variables },
      callId: `${executionId}/${call.callId}`,
      signal: context.abort,
    });
    await context.keep(key, made);
    return made;
  }

  /** Variables that code has set are set once, however often its execution is told. */
  async function keepVariables(executionId: string, { sessionVariables }: ExecutionResult): Promise<void> {
    const key = `variables/${executionId}`;
    if (Object.keys(sessionVariables).length === 0 || context.recall(key)) return;
    await context.setVariables(sessionVariables);
    await context.keep(key, true);
  }

  return {
    async run(code: string, { timeoutMs = 60_000 }: { timeoutMs?: number } = {}): Promise<ExecutionResult> {
      await context.settled;
      const started = Date.now();
      const executionId = `${options.turnId}-${++executions}`;
      try {
        const result = await interpreter().run({
          executionId,
          postId,
          code,
          timeoutMs,
          signal: context.abort,
          onEvent(event) {
            if (event.type === "stdout" || event.type === "stderr") {
              emit("execution_output", { stream: event.type, text: event.text });
            }
          },
          onCall: (call) => answer(executionId, call).catch(failed),
          onArtifact: (artifact) => emit("artifact", wireArtifact(artifact)),
        });
        await keepVariables(executionId, result);
        return result;
      } finally {
        onSpent(Date.now() - started);
      }
    },

    /** The plugins that work. What isn't known yet of them is found out by loading them, for code that comes anyway. */
    async workingPlugins(): Promise<Plugin[]> {
      if (!pluginHealth.knowsAll(plugins)) {
        const started = Date.now();
        // A sandbox that can't be had is told of when code is to run.
        await interpreter()
          .open()
          .catch(() => {});
        onSpent(Date.now() - started);
      }
      return plugins.filter((plugin) => !pluginHealth.isBroken(plugin));
    },
  };
}

const failed = (error: unknown): CallAnswer => ({
  error: { name: "EdgePluginError", message: error instanceof Error ? error.message : String(error) },
});
