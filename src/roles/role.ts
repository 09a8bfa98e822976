import type * as z from "zod";
import type { Example } from "../examples/example.ts";
import type { Lesson } from "../experience/lessons.ts";
import type { DocumentSource } from "../documents/document.ts";
import type { EmitEvent } from "../events/event.ts";
import type { ChatMessage, ChatOptions, ChatReply } from "../llm/llm.ts";
import type { Round } from "../memory/round.ts";
import type { SharedEntry, SharedMemoryScope } from "../memory/shared-memory.ts";
import type { PluginSpec } from "../plugins/plugin.ts";
import type { ExecutionResult } from "../sandbox/python-session.ts";
import type { SandboxCapabilities } from "../sandbox/sandbox.ts";

/** The Post that a turn makes. What is written is told to watchers as it comes and stored when the turn ends. */
export interface PostBuilder {
  readonly id: string;
  /** Says what the role is busy with. */
  status(text: string): void;
  /** Adds to the message. */
  write(text: string): void;
  attach(type: string, content: string | string[], extra?: unknown): void;
  /** An attachment that grows while the model writes it; `end` it before the turn ends. */
  attachStreaming(type: string): { write(text: string): void; end(): void };
  /** To whom the Post goes. A worker's goes to whoever asked it, unless it is set. */
  sendTo(alias: string): void;
  /** Takes back all that the Post has said so far and tells watchers to forget it. */
  withdraw(reason: string): void;
}

export interface LastPost {
  sendFrom: string;
  message: string;
  /** The contents of its attachments of a type, signals in force included. */
  attachments(type: string): string[];
}

/** A file that the User uploaded or that code produced. */
export interface StoredSessionFile {
  name: string;
  size: number;
  /** As its sender said, or by its name: the content may be something else. */
  mime: string;
  /** When it came. */
  at: number;
  /** Set for what code produced. */
  artifactId?: string;
}

/** What a role is handed for one turn. Everything in it belongs to this turn: nothing is to be kept for the next. */
export interface Turn<Config = Record<string, unknown>> {
  /** The role's own alias. */
  readonly alias: string;
  /** The user's request of this round. */
  readonly query: string;
  /** The conversation as this role knows it, oldest round first; failed rounds are not in it. */
  readonly memory: {
    rounds: Round[];
    /** What stands for older rounds, where the role's memory is compressed. */
    summary?: string;
  };
  readonly lastPost: LastPost;
  readonly config: Config;
  /** The role's prompt file, by key. */
  readonly prompt: Record<string, string>;
  /** The workers of this session, for those who address them. */
  readonly workers: { alias: string; intro: string }[];
  readonly post: PostBuilder;
  readonly shared: {
    get(type?: string): SharedEntry[];
    put(entry: { type: string; content: string; scope: SharedMemoryScope }): void;
  };
  readonly board: {
    read(): Record<string, string>;
    read(alias: string): string | undefined;
    write(text: string): void;
  };
  readonly signals: { get(key: string): string | undefined; set(key: string, value: string): void };
  readonly variables: Record<string, string>;
  readonly llm: { chat(messages: ChatMessage[], options?: ChatOptions): ChatReply };
  readonly sandbox: {
    run(code: string, options?: { timeoutMs?: number }): Promise<ExecutionResult>;
    /** What code may count on; undefined when the sandbox can't be asked. */
    capabilities(): Promise<SandboxCapabilities | undefined>;
  };
  readonly plugins: PluginSpec[];
  /**
   * The plugins to tell the model of: all, or, with a selection, those nearest to the query and those that code of this
   * session has used. What is given counts as shown.
   */
  showPlugins(selection?: { query: string; topK: number }): Promise<PluginSpec[]>;
  /**
   * Lessons that are near to the query, best first; none unless `use_experience` is on. They come from the folder below
   * the role's base folder that it names here, else from the one that was said last by a signal or in shared memory,
   * else from the base folder itself. What is given counts as shown.
   */
  readonly experience: { load(options: { query: string; subPath?: string }): Promise<Lesson[]> };
  /** The worked examples of a folder, which is chosen as that of the lessons is, but never by a signal. */
  readonly examples: { load(options?: { subPath?: string }): Promise<Example[]> };
  /** What was uploaded for all sessions. */
  readonly documents: DocumentSource;
  /** Names of the files that came with this round. */
  readonly files: string[];
  /** All files of the session, as they are kept; what code has in its working folder besides is the interpreter's. */
  readonly sessionFiles: {
    /** Oldest first. */
    list(): Promise<StoredSessionFile[]>;
    /** Undefined when it is gone. Mind its size: all of it is held in memory. */
    read(file: Pick<StoredSessionFile, "name" | "artifactId">): Promise<Uint8Array | undefined>;
  };
  /**
   * A durable memo within the turn: the first result of `fn` under this name is kept, and a turn that is taken up again
   * gets it instead of calling `fn` once more. The result must be JSON.
   */
  checkpoint<Result>(name: string, fn: () => Promise<Result>): Promise<Result>;
  /** Aborts when the round is cancelled or runs out of time. */
  readonly abort: AbortSignal;
  readonly emit: EmitEvent;
}

export interface Role<Schema extends z.ZodObject = z.ZodObject, Knowledge extends z.ZodObject = z.ZodObject> {
  /** Name in `session.roles` and prefix of its config keys, snake_case. */
  name: string;
  /** Name in the conversation, PascalCase. */
  alias: string;
  /** What it can do, told to the Planner. */
  intro: string;
  /** Its config keys without the prefix. */
  configSchema?: Schema;
  /**
   * Examples, experience, prompt file and model are configured under the role's name, or under this one if given, with
   * keys of its own. Both schemas' values are in `turn.config`.
   */
  knowledge?: { name: string; configSchema?: Knowledge };
  /**
   * `whole` (the default): every round is in `turn.memory`. `compressed`: older ones give way to `turn.memory.summary`
   * once they are many, and the role's prompt shows it. `none`: the role goes by its last Post alone.
   */
  memory?: "whole" | "compressed" | "none";
  /**
   * The turn may begin while the Post that it answers is still being stored. Only for a role that does nothing but ask
   * its model until it comes to `turn.sandbox`, which waits by itself, as `turn.checkpoint` does before it keeps a result.
   */
  beginsEarly?: boolean;
  /** It runs shell commands: a session with it is refused where the sandbox has no shell. */
  needsShell?: boolean;
  /** Produces the turn's Post: whatever `turn.post` holds when this returns. A throw fails the round. */
  reply(turn: Turn<z.infer<Schema> & z.infer<Knowledge>>): Promise<void>;
}

/**
 * Declares a role.
 *
 * @example
 * export const role = defineRole({
 *   name: "echo",
 *   alias: "Echo",
 *   intro: "Repeats what it is told.",
 *   async reply(turn) {
 *     turn.post.write(turn.lastPost.message);
 *   },
 * });
 */
export function defineRole<Schema extends z.ZodObject, Knowledge extends z.ZodObject>(
  role: Role<Schema, Knowledge>,
): Role {
  // The registry holds roles of all schemas; a role is only ever handed the config that its own schema made.
  return role as unknown as Role;
}

/** The name under which what a role knows is configured and filed. */
export function knowledgeName(role: Pick<Role, "name" | "knowledge">): string {
  return role.knowledge?.name ?? role.name;
}
