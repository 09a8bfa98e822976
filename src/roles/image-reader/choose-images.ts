import { fillTemplate } from "../../lib/fill-template.ts";
import { askModel } from "../ask-model.ts";
import { replySchema } from "../reply-schema.ts";
import type { StoredSessionFile, Turn } from "../role.ts";
import type { ImageReaderConfig } from "./config.ts";

type ImageTurn = Turn<ImageReaderConfig>;

/** What is meant: files of the session, addresses, and names of which there is no file. */
export interface Choice {
  files: StoredSessionFile[];
  urls: string[];
  unknown: string[];
}

const IMAGE_NAME = /[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.(png|jpe?g|gif|webp|bmp|tiff?|svg|avif|heic)\b/giu;
const URL_TEXT = /https?:\/\/[^\s<>"'`]+/gi;

/**
 * Finds out which images a message is about: those that it names; the only one that there is; else the model is asked.
 */
export async function chooseImages(turn: ImageTurn, files: StoredSessionFile[]): Promise<Choice> {
  const { message } = turn.lastPost;
  const urls = (message.match(URL_TEXT) ?? []).map((url) => url.replace(/[).,;:!?\]]+$/, ""));
  const words = message.replaceAll(URL_TEXT, " ");
  const named = files.filter(({ name }) => mentions(words, name));
  const left = named.reduce((text, { name }) => text.replaceAll(name, " "), words);
  const unknown = left.match(IMAGE_NAME) ?? [];
  if (named.length + urls.length + unknown.length > 0) {
    return { files: named, urls: [...new Set(urls)], unknown: [...new Set(unknown)] };
  }
  const images = files.filter(({ mime }) => mime.startsWith("image/"));
  return { files: images.length > 1 ? await askWhich(turn, images) : images, urls: [], unknown: [] };
}

/** A name counts where it stands by itself: `a.png` isn't meant by `data.png`. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + name.length)];
    if (!/[\p{L}\p{N}_-]$/u.test(before) && !/^([\p{L}\p{N}_-]|\.\p{L})/u.test(after)) return true;
  }
  return false;
}

async function askWhich(turn: ImageTurn, images: StoredSessionFile[]): Promise<StoredSessionFile[]> {
  const names = images.map(({ name }) => name);
  const system = fillTemplate(turn.prompt.choose ?? "", {
    IMAGES: names.map((name) => `- ${name}`).join("\n"),
  });
  const { translation } = await askModel(
    turn,
    [
      { role: "system", content: system },
      { role: "user", content: `The User's request: ${turn.query}\n\nMessage: ${turn.lastPost.message}` },
    ],
    choiceSchema(names),
    () => () => {},
  );
  const chosen = translation.ok ? readNames(translation.fields.images ?? "") : [];
  return images.filter(({ name }) => chosen.includes(name));
}

const choiceSchema = (names: string[]) =>
  replySchema("image_choice", { images: { type: "array", items: { type: "string", enum: names } } });

/** A list in JSON; models that know no lists write one name. */
function readNames(text: string): unknown[] {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names : [names];
  } catch {
    // Not JSON: it is a name.
    return [text.trim()];
  }
}
