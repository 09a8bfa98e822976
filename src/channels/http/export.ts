import { Hono } from "hono";
import {
  wireArtifact,
  type Artifact,
  type FileBody,
  type SessionFiles,
  type StoredFile,
} from "../../files/files.ts";
import { writeConversation, writeRound } from "../../memory/conversation-file.ts";
import { wireSession } from "../../memory/wire.ts";
import type { HttpEnv } from "./http.ts";
import { HttpProblem, sessionNotFound } from "./problem.ts";
import { FORMAT, MAX_EXPORT_BYTES, VERSION, writeSignals, writeSummaries } from "./session-file.ts";

export const exportRoutes = new Hono<HttpEnv>().get("/v1/sessions/:id/export", async (c) => {
  const ref = { tenant: c.var.tenant, id: c.req.param("id") };
  const format = c.req.query("format") ?? "session";
  if (format !== "session" && format !== "taskweaver") {
    throw new HttpProblem(422, "invalid_format", 'format is "session" or "taskweaver".');
  }
  const { store, files } = await c.var.deployment.messageServices(ref);
  const conversation = await store.loadConversation(ref);
  if (!conversation) throw sessionNotFound(ref.id);
  const { session, rounds, outside, summaries } = conversation;
  if (format === "taskweaver") {
    return download(`${ref.id}.conversation.json`, JSON.stringify(writeConversation(ref.id, rounds)));
  }

  const [uploads, artifacts] = await Promise.all([files.listUploads(), files.listArtifacts()]);
  const { state: _state, ...fields } = wireSession(session);
  const head = {
    format: FORMAT,
    version: VERSION,
    session: { ...fields, variables: session.variables },
    rounds: rounds.map(writeRound),
    signals: writeSignals(outside),
    summaries: writeSummaries(summaries),
  };
  const headText = JSON.stringify(head);
  const filesSize = [...uploads, ...artifacts].reduce((sum, { size }) => sum + base64Size(size), 0);
  const size = new TextEncoder().encode(headText).length + filesSize;
  if (size > MAX_EXPORT_BYTES) {
    throw new HttpProblem(
      413,
      "export_too_large",
      `The export would have ${size} bytes, ${filesSize} of them files; ${MAX_EXPORT_BYTES} are allowed. ` +
        "Export the conversation alone (?format=taskweaver) and download the artifacts one by one, or fork the session.",
    );
  }
  const pieces = sessionText({ headText, files, uploads, artifacts });
  return download(`${ref.id}.session.json`, streamOf(pieces).pipeThrough(new TextEncoderStream()));
});

/** The file in pieces: one file's content is in memory at a time. */
async function* sessionText(options: {
  headText: string;
  files: SessionFiles;
  uploads: StoredFile[];
  artifacts: Artifact[];
}): AsyncGenerator<string> {
  const { headText, files, uploads, artifacts } = options;
  yield `${headText.slice(0, -1)},"uploads":[`;
  let separator = "";
  for (const { name } of uploads) {
    const found = await files.getUpload(name);
    if (!found) continue;
    yield separator + JSON.stringify({ name, content_base64: await readBase64(found) });
    separator = ",";
  }
  yield '],"artifacts":[';
  separator = "";
  for (const artifact of artifacts) {
    const found = await files.getArtifact(artifact.id);
    if (!found) continue;
    const { size: _size, ...fields } = wireArtifact(artifact);
    yield (
      separator + JSON.stringify({ ...fields, path: artifact.path, content_base64: await readBase64(found) })
    );
    separator = ",";
  }
  yield "]}";
}

function streamOf(pieces: AsyncGenerator<string>): ReadableStream<string> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

const base64Size = (size: number) => Math.ceil(size / 3) * 4;

async function readBase64({ body }: FileBody): Promise<string> {
  return (await new Response(body).bytes()).toBase64();
}

function download(name: string, body: BodyInit): Response {
  return new Response(body, {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      "x-content-type-options": "nosniff",
    },
  });
}
