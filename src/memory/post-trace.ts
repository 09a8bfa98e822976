/** What chose a folder: the role that asked, a signal, an entry in shared memory, or nobody. */
export type DecidedBy = "role" | "signal" | "shared_memory" | "none";

interface FolderTrace {
  sub_path: string;
  decided_by: DecidedBy;
  /** The code of the warning that there was. */
  warning?: string;
}

/** What the turn that made a Post cost: a part of its round's receipt. */
export interface PostUsage {
  model_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  model_ms: number;
  sandbox_ms: number;
}

/**
 * What a role was shown for a Post beside the conversation, and what it cost. It is kept with the Post in the wire's own
 * names; no prompt and no attachment holds it.
 */
export interface PostTrace {
  experience?: (FolderTrace & { lessons: { id: string; score: number }[] })[];
  examples?: (FolderTrace & { names: string[] })[];
  plugins?: string[];
  /** Absent where neither a model nor the sandbox was asked. */
  usage?: PostUsage;
}
