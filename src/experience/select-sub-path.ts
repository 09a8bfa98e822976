import { isSubPath } from "../lib/sub-path.ts";
import type { DecidedBy } from "../memory/post-trace.ts";
import type { LastSaid } from "../memory/shared-state.ts";

/** The signal by which a role, or somebody outside, chooses the folder of lessons for the session. */
export const EXPERIENCE_SIGNAL = "_signal_exp_sub_path";
/** The types of shared memory entries that choose a folder of lessons, and one of examples. */
export const EXPERIENCE_SUB_PATH = "experience_sub_path";
export const EXAMPLE_SUB_PATH = "example_sub_path";

export interface SubPathChoice {
  /** Empty is the base folder; undefined when what was chosen is no path within it. */
  subPath: string | undefined;
  decidedBy: DecidedBy;
  /** What was chosen, as it was said. */
  said: string;
}

/**
 * Which folder below the base folder a role reads from: the one that it names itself; else the one that was said last,
 * unless the role's `dynamic_…_sub_path` is set to false; else the base folder.
 */
export function selectSubPath(options: {
  named: string | undefined;
  isDynamic: boolean;
  lastSaid: LastSaid | undefined;
}): SubPathChoice {
  const { named, isDynamic, lastSaid } = options;
  if (named !== undefined) return choice(named, "role");
  if (isDynamic && lastSaid) return choice(lastSaid.value, lastSaid.source);
  return choice("", "none");
}

function choice(said: string, decidedBy: DecidedBy): SubPathChoice {
  const subPath = said.trim().replace(/(?<=[^/])\/$/, "");
  return { subPath: isSubPath(subPath) ? subPath : undefined, decidedBy, said };
}
