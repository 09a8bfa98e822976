import { Hono } from "hono";
import * as z from "zod";
import type { SessionFiles } from "../../files/files.ts";
import { createId } from "../../lib/id.ts";
import type { Attachment } from "../../memory/attachment.ts";
import { conversationFile } from "../../memory/conversation-file.ts";
import { USER } from "../../memory/post.ts";
import type { Round } from "../../memory/round.ts";
import type { Session } from "../../memory/session.ts";
import type { Fact } from "../../memory/shared-state.ts";
import { rememberedUpTo, type RoleSummary } from "../../memory/summary.ts";
import { wireSession } from "../../memory/wire.ts";
import type { Deployment } from "../channel.ts";
import { checkRoles } from "./check-roles.ts";
import type { HttpEnv } from "./http.ts";
import { makeSession } from "./make-session.ts";
import { HttpProblem } from "./problem.ts";
import { checkBody, readJson } from "./read-json.ts";
import { sessionFile } from "./session-file.ts";
import { sessionId } from "./session-fields.ts";

interface Imported {
  session: Omit<Session, "tenant">;
  rounds: Round[];
  outside: Fact[];
  summaries?: RoleSummary[];
  putFiles(files: SessionFiles): Promise<void>;
}

export const importRoutes = new Hono<HttpEnv>().post("/v1/sessions/import", async (c) => {
  const { deployment, tenant } = c.var;
  const wantedId = c.req.query("id");
  if (wantedId !== undefined && !sessionId.safeParse(wantedId).success) {
    throw new HttpProblem(
      422,
      "invalid_id",
      "id takes 1 to 128 letters, digits and . _ ~ -, beginning with a letter or digit.",
    );
  }
  const body = await readJson(c.req.raw, z.looseObject({}));
  const { putFiles, ...imported } = "format" in body ? readSession(body) : readConversation(body, deployment);
  await checkRoles(imported.session.roles, deployment);
  const session = { ...imported.session, tenant, id: wantedId ?? imported.session.id };
  await makeSession({ conversation: { ...imported, session }, putFiles, deployment });
  return c.json(wireSession(session), 201, { location: `/v1/sessions/${session.id}` });
});

function readSession(body: unknown): Imported {
  const { session, rounds, signals: outside, summaries, uploads, artifacts } = checkBody(body, sessionFile);
  const { created_at: createdAt, updated_at: updatedAt, ...fields } = session;
  return {
    session: { ...fields, variablesVersion: 0, state: "idle", createdAt, updatedAt },
    rounds,
    outside,
    ...rememberedUpTo({ summaries }, rounds.length),
    async putFiles(files) {
      for (const { name, content_base64: content } of uploads) await files.putUpload(name, content);
      for (const { round_id, post_id, created_at, content_base64: content, ...artifact } of artifacts) {
        const size = content.length;
        await files.putArtifact(
          { ...artifact, size, roundId: round_id, postId: post_id, createdAt: created_at },
          { body: new Blob([content]).stream(), size },
        );
      }
    },
  };
}

/** TaskWeaver's dump says nothing of the session: it gets this deployment's default roles and all who speak in it. */
function readConversation(body: unknown, deployment: Deployment): Imported {
  const { rounds } = checkBody(body, conversationFile);
  const now = Date.now();
  return {
    session: {
      id: createId("session"),
      roles: rolesFor(rounds, deployment),
      title: null,
      metadata: {},
      variables: {},
      variablesVersion: 0,
      state: "idle",
      createdAt: now,
      updatedAt: now,
    },
    rounds: rounds.map(ranElsewhere),
    outside: [],
    putFiles: async () => {},
  };
}

/** TaskWeaver doesn't note which interpreter code ran in: it wasn't ours, which is what the model has to be told. */
function ranElsewhere(round: Round): Round {
  const mark = (attachment: Attachment): Attachment =>
    attachment.type === "execution_status" && attachment.content !== "NONE" && attachment.extra === undefined
      ? { ...attachment, extra: { generation: "elsewhere" } }
      : attachment;
  const posts = round.posts.map((post) => ({ ...post, attachments: post.attachments.map(mark) }));
  return { ...round, posts };
}

function rolesFor(rounds: Round[], { roles, config }: Deployment): string[] {
  const speakers = new Set(rounds.flatMap(({ posts }) => posts.map(({ sendFrom }) => sendFrom)));
  const present = new Set([USER, ...config.defaultRoles.map((name) => roles.get(name)?.alias)]);
  const others = [...speakers.difference(present)];
  const nameOf = (alias: string) => [...roles.values()].find((role) => role.alias === alias)?.name ?? alias;
  return [...config.defaultRoles, ...others.map(nameOf)];
}
