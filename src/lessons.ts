import { waitUntil } from "cloudflare:workers";
import type { Config } from "./config.ts";
import type { Content } from "./content/content.ts";
import type { Embedders } from "./embeddings/embedder.ts";
import { createD1Experiences } from "./experience/d1-experiences.ts";
import { createD1LessonSource } from "./experience/d1-lesson-source.ts";
import { createLessonKeeper } from "./experience/keeper.ts";
import type { LessonSource } from "./experience/lessons.ts";
import { ownerOfFolder, tenantOfOwner, type ProjectFolder } from "./experience/shelf.ts";
import { summarise } from "./experience/summarise.ts";
import { retryD1 } from "./lib/retry-d1.ts";
import type { Llm } from "./llm/llm.ts";
import { knowledgeName, type Role } from "./roles/role.ts";

/** What a deployment's roles may learn from, and who looks after it. */
export function createLessons(options: {
  database: D1Database;
  config: Config;
  content: Content;
  roles: Role[];
  embedders: Embedders;
  llm: Llm;
}) {
  const { config, content, roles, embedders, llm } = options;
  const database = retryD1(options.database);
  const folders: ProjectFolder[] = Object.entries(content.experiences).map(([name, compiled]) => ({
    name,
    compiled,
  }));
  const keeper = createLessonKeeper({
    database,
    embedders,
    folders,
    draw: (raw) => summarise(raw, llm, content.prompts.experience?.content ?? ""),
    lessonsOf(owner) {
      const tenant = tenantOfOwner(owner);
      return tenant === undefined ? undefined : sourceFor(database, tenant);
    },
    waitUntil,
  });

  function foldersOf(name: string | undefined): ProjectFolder[] {
    const role = roles.find((each) => knowledgeName(each) === name);
    if (name === undefined) return folders;
    return role ? folders.filter((folder) => folder.name === config.experienceDir(role)) : [];
  }

  /** The lessons for a tenant's roles; the database is the one whose use is counted. */
  const sourceFor = (counted: D1Database, tenant: string): LessonSource =>
    createD1LessonSource({ database: counted, tenant, foldersOf, embedders, onMissing: keeper.syncSoon });

  return {
    keeper,
    sourceFor,
    experiences: (tenant: string) => ({
      store: createD1Experiences({
        database,
        tenant,
        projectOwners: folders.map(ownerOfFolder),
        lexical: embedders.lexical,
      }),
      lessons: sourceFor(database, tenant),
    }),
  };
}
