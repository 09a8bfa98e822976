import { fillTemplate } from "../../lib/fill-template.ts";
import { RoundFailure } from "../../lib/round-failure.ts";
import type { ChatImage } from "../../llm/llm.ts";
import { askModel } from "../ask-model.ts";
import { replySchema } from "../reply-schema.ts";
import { defineRole, type Turn } from "../role.ts";
import { chooseImages } from "./choose-images.ts";
import { imageReaderConfig, type ImageReaderConfig } from "./config.ts";
import { loadImages } from "./load-images.ts";

/**
 * Looks at images for those who can't: its model is shown them in the turn that is about them, and everybody else,
 * later prompts included, has its words.
 */
export const role = defineRole({
  name: "image_reader",
  alias: "ImageReader",
  memory: "none",
  intro:
    "ImageReader looks at images and says in words what is in them: files that the User uploaded or that code made in" +
    " this session (png, jpeg, gif, webp), or an address that the User gave. Send it the names of the images and what you" +
    " want to know of them. It remembers nothing of what it saw before and computes nothing.",
  configSchema: imageReaderConfig,
  async reply(turn) {
    const files = await turn.sessionFiles.list();
    const { images, problems } = await loadImages(turn, await chooseImages(turn, files));
    if (images.length > 0) {
      turn.post.status(`looking at ${images.map(({ name }) => name).join(", ")}`);
      await look(turn, images);
    } else {
      const there = files.filter(({ mime }) => mime.startsWith("image/")).map(({ name }) => name);
      turn.post.write(
        there.length === 0
          ? "There are no images in this session that could be looked at: the User can upload one."
          : `Nothing was looked at. The images of this session: ${there.join(", ")}. Name the one that is meant.`,
      );
    }
    for (const problem of problems) turn.post.write(`\n${problem}`);
  },
});

type ImageTurn = Turn<ImageReaderConfig>;

const answerSchema = replySchema("image_answer", { answer: { type: "string" } });

async function look(turn: ImageTurn, images: ChatImage[]): Promise<void> {
  const names = images.map(({ name }) => name).join(", ");
  const system = fillTemplate(turn.prompt.content ?? "", { IMAGES: names });
  const question = `The User's request: ${turn.query}\n\nMessage: ${turn.lastPost.message}`;
  try {
    const { translation, ...written } = await askModel(
      turn,
      [
        { role: "system", content: system },
        { role: "user", content: question, images },
      ],
      answerSchema,
      () => (field, delta) => {
        if (field === "answer") turn.post.write(delta);
      },
    );
    if (!translation.ok) giveAnyway(turn, translation.error, written);
    else if ((translation.fields.answer ?? "").trim() === "")
      turn.post.write(`Nothing was said of ${names}.`);
  } catch (error) {
    // Most often it is a model that sees nothing: the Planner can go on without, and tell the User.
    if (!(error instanceof RoundFailure) || error.code !== "model_rejected") throw error;
    turn.post.withdraw(error.message);
    turn.post.write(
      `${names} can't be looked at, the model refuses: ${error.message} A model that sees is set by image_reader.llm_alias.`,
    );
    return;
  }
  for (const { name, mime, bytes } of images) {
    turn.post.attach("image_url", name, { mime, size: bytes.length });
  }
}

/** Models that see don't all keep to JSON: plain words are an answer as well, half of one isn't. */
function giveAnyway(turn: ImageTurn, error: string, written: { text: string; isWhole: boolean }): void {
  turn.post.withdraw(error);
  const text = written.text.trim();
  const isProse = written.isWhole && text !== "" && !text.includes("{");
  turn.post.write(isProse ? text : `The answer about the image can't be used: ${error}`);
}
