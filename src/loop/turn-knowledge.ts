import type { EmitEvent } from "../events/event.ts";
import { fitExamples } from "../examples/fit-examples.ts";
import type { Example } from "../examples/example.ts";
import { fitLessons, type LessonLimits } from "../experience/fit-lessons.ts";
import type { LessonSource } from "../experience/lessons.ts";
import {
  EXAMPLE_SUB_PATH,
  EXPERIENCE_SIGNAL,
  EXPERIENCE_SUB_PATH,
  selectSubPath,
  type SubPathChoice,
} from "../experience/select-sub-path.ts";
import { PLANNER, USER } from "../memory/post.ts";
import type { PostTrace } from "../memory/post-trace.ts";
import { lastSaid, type Fact } from "../memory/shared-state.ts";
import type { PluginSpec } from "../plugins/plugin.ts";
import { selectPlugins, type PluginRanking } from "../plugins/select-plugins.ts";
import type { Turn } from "../roles/role.ts";

/** How a role is configured to learn. */
export interface KnowledgeSettings {
  /** The name under which its knowledge is filed. */
  name: string;
  useExperience: boolean;
  /** Whether what others say chooses the folder. */
  dynamicExperience: boolean;
  dynamicExamples: boolean;
  lessons: LessonLimits;
  /** Tokens that examples may take in a prompt. */
  exampleTokens: number;
}

/** So many are looked at for the few that are shown: a long one that doesn't fit the budget leaves room for others. */
const LESSONS_LOOKED_AT = 3;

type Knowledge = Pick<Turn, "experience" | "examples" | "showPlugins">;

/** What a role may be shown beside the conversation, and the account of what it was shown. */
export function createTurnKnowledge(options: {
  /** Asked when something is wanted: who wants nothing, as the relay, needn't be configured. */
  settings(): KnowledgeSettings;
  alias: string;
  /** Aliases of the session's roles. */
  cast: string[];
  examples(): Example[];
  /** Those that can be called. */
  plugins(): Promise<PluginSpec[]>;
  rankPlugins: PluginRanking;
  lessons: LessonSource;
  facts(): Fact[];
  roundSeq: number;
  /** Code that the session has run. */
  usedCode: string[];
  emit: EmitEvent;
}): { knowledge: Knowledge; trace(): PostTrace } {
  const { lessons, facts, roundSeq, emit } = options;
  const trace: PostTrace = {};

  function warn(code: string, message: string): { warning: string } {
    emit("warning", { code, message });
    return { warning: code };
  }

  const invalid = (what: string, { said }: SubPathChoice) =>
    warn(
      "sub_path_invalid",
      `The folder of ${what} "${said.slice(0, 200)}" is not a path within the base folder, so ${options.alias} goes on without ${what}.`,
    );
  const missing = (what: string, subPath: string) =>
    warn(
      "sub_path_missing",
      `There is no folder of ${what} "${subPath}" for ${options.alias}, which goes on without ${what}.`,
    );

  const knowledge: Knowledge = {
    experience: {
      async load({ query, subPath: named }) {
        const settings = options.settings();
        if (!settings.useExperience) return [];
        const choice = selectSubPath({
          named,
          isDynamic: settings.dynamicExperience,
          lastSaid: lastSaid(facts(), roundSeq, { signal: EXPERIENCE_SIGNAL, entry: EXPERIENCE_SUB_PATH }),
        });
        const { subPath, decidedBy, said } = choice;
        const account = { sub_path: subPath ?? said, decided_by: decidedBy };
        const note = (shown: { id: string; score: number }[], more: { warning?: string } = {}) =>
          (trace.experience ??= []).push({ ...account, lessons: shown, ...more });
        if (subPath === undefined) {
          note([], invalid("lessons", choice));
          return [];
        }
        const limit = settings.lessons.topK * LESSONS_LOOKED_AT;
        const found = await lessons
          .find({ role: settings.name, query, subPath, limit })
          .catch((error: unknown) => {
            console.error("Lessons could not be looked for.", error);
            return undefined;
          });
        if (!found) {
          note(
            [],
            warn("experience_unavailable", "Lessons can't be looked up now; the round goes on without."),
          );
          return [];
        }
        const shown = fitLessons(found.lessons, settings.lessons, subPath !== "");
        const isMissing = !found.folderExists && subPath !== "";
        note(
          shown.map(({ id, score }) => ({ id, score: Math.round(score * 1000) / 1000 })),
          isMissing ? missing("lessons", subPath) : {},
        );
        return shown;
      },
    },

    examples: {
      async load({ subPath: named } = {}) {
        const settings = options.settings();
        const examples = options.examples();
        const choice = selectSubPath({
          named,
          isDynamic: settings.dynamicExamples,
          lastSaid: lastSaid(facts(), roundSeq, { entry: EXAMPLE_SUB_PATH }),
        });
        const { subPath, decidedBy, said } = choice;
        const inFolder = examples.filter((example) => example.subPath === subPath);
        const shown = fitExamples(inFolder, [...options.cast, PLANNER, USER], settings.exampleTokens);
        const isMissing = subPath !== "" && inFolder.length === 0 && examples.length > 0;
        (trace.examples ??= []).push({
          sub_path: subPath ?? said,
          decided_by: decidedBy,
          names: shown.map(({ name }) => name),
          ...(subPath === undefined
            ? invalid("examples", choice)
            : isMissing
              ? missing("examples", subPath)
              : {}),
        });
        return shown;
      },
    },

    async showPlugins(selection) {
      const shown = await selectPlugins({
        plugins: await options.plugins(),
        usedCode: options.usedCode,
        rank: options.rankPlugins,
        selection,
      });
      trace.plugins = shown.map(({ name }) => name);
      return shown;
    },
  };

  return { knowledge, trace: () => trace };
}
