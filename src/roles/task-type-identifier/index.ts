import { EXPERIENCE_SIGNAL } from "../../experience/select-sub-path.ts";
import { RoundFailure } from "../../lib/round-failure.ts";
import { askModel } from "../ask-model.ts";
import { defineRole, type Turn } from "../role.ts";
import { taskTypeConfig, type TaskTypeConfig } from "./config.ts";
import { identifyMessages, identifySchema, UNKNOWN } from "./prompt.ts";

/**
 * Finds out which type a task is of and tells everybody by a signal: from then on each role reads the lessons that are
 * kept for that type, until another type is signalled.
 */
export const role = defineRole({
  name: "task_type_identifier",
  alias: "TaskTypeIdentifier",
  memory: "none",
  intro:
    "TaskTypeIdentifier finds out which type a task is of. Send it the task's id or description before anything else is" +
    " planned; the lessons for that type are at hand from then on.",
  configSchema: taskTypeConfig,
  async reply(turn) {
    const type = byPattern(turn) ?? (await byModel(turn));
    if (type === undefined) {
      turn.post.write("The type of this task is not known. Go on without, or ask the User which type it is.");
      return;
    }
    turn.signals.set(EXPERIENCE_SIGNAL, type);
    turn.post.write(`The task is of type ${type}.`);
  },
});

type TypeTurn = Turn<TaskTypeConfig>;

/** What the Planner passes on decides before the whole request, which may speak of other tasks too. */
function byPattern({ config, lastPost, query }: TypeTurn): string | undefined {
  for (const text of [lastPost.message, query]) {
    const found = Object.entries(config.patterns).find(([pattern]) => new RegExp(pattern, "u").test(text));
    if (found) return found[1];
  }
  return undefined;
}

async function byModel(turn: TypeTurn): Promise<string | undefined> {
  const types = Object.keys(turn.config.task_types);
  if (types.length === 0) {
    if (Object.keys(turn.config.patterns).length > 0) return undefined;
    throw new RoundFailure(
      "role_failed",
      "TaskTypeIdentifier knows no task types. Set task_type_identifier.patterns or task_type_identifier.task_types (docs/roles.md).",
    );
  }
  const { translation } = await askModel(turn, identifyMessages(turn), identifySchema(types), () => () => {});
  const type = translation.ok ? translation.fields.task_type : undefined;
  return type !== undefined && type !== UNKNOWN && types.includes(type) ? type : undefined;
}
