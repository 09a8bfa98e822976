import { fetchBytes } from "../../lib/fetch-bytes.ts";
import { checkOutboundUrl } from "../../lib/outbound-url.ts";
import type { ChatImage } from "../../llm/llm.ts";
import type { StoredSessionFile, Turn } from "../role.ts";
import type { Choice } from "./choose-images.ts";
import type { ImageReaderConfig } from "./config.ts";
import { imageTypeOf } from "./image-type.ts";

type ImageTurn = Turn<ImageReaderConfig>;

const TIMEOUT_MS = 15_000;

/** The images that can be shown, and for each of the others a sentence that says why it can't. */
export async function loadImages(
  turn: ImageTurn,
  { files, urls, unknown }: Choice,
): Promise<{ images: ChatImage[]; problems: string[] }> {
  const { max_images: most } = turn.config;
  const loads = [
    ...files.map((file) => () => loadFile(turn, file)),
    ...urls.map((url) => () => fetchImage(turn, url)),
  ];
  const outcomes = await Promise.all(loads.slice(0, most).map((load) => load()));
  const problems = unknown.map((name) => `There is no file ${name} in this session.`);
  if (loads.length > most) {
    problems.push(`Only ${most} images can be looked at at once (image_reader.max_images): ask about fewer.`);
  }
  return {
    images: outcomes.filter((outcome) => typeof outcome !== "string"),
    problems: [...problems, ...outcomes.filter((outcome) => typeof outcome === "string")],
  };
}

async function loadFile(turn: ImageTurn, file: StoredSessionFile): Promise<ChatImage | string> {
  if (file.size > turn.config.max_image_bytes) return tooLarge(turn, file.name, file.size);
  const bytes = await turn.sessionFiles.read(file);
  return bytes ? checkImage(turn, file.name, bytes) : `The file ${file.name} is gone.`;
}

/**
 * Only what the User named is fetched: an address that a model made up could carry what it knows to a stranger.
 */
async function fetchImage(turn: ImageTurn, address: string): Promise<ChatImage | string> {
  if (!turn.config.allow_urls) {
    return `${address} isn't fetched (image_reader.allow_urls is off): the User can upload the image.`;
  }
  if (!turn.query.includes(address)) {
    return `${address} isn't fetched: only addresses in the User's request are.`;
  }
  try {
    const { status, bytes } = await fetchBytes(fetch, checkOutboundUrl(address), {
      maxBytes: turn.config.max_image_bytes,
      timeoutMs: TIMEOUT_MS,
      signal: turn.abort,
    });
    if (status !== 200) return `${address} answered ${status} instead of an image.`;
    return checkImage(turn, address, bytes);
  } catch (error) {
    turn.abort.throwIfAborted();
    const why =
      error instanceof Error && error.name === "RefusedUrlError" ? error.message : "It gave no answer.";
    return `${address} can't be fetched. ${why}`;
  }
}

function checkImage(turn: ImageTurn, name: string, bytes: Uint8Array): ChatImage | string {
  if (bytes.length > turn.config.max_image_bytes) return tooLarge(turn, name, bytes.length);
  const mime = imageTypeOf(bytes);
  return mime ? { name, mime, bytes } : `${name} is not an image that can be shown: PNG, JPEG, GIF or WebP.`;
}

const tooLarge = ({ config }: ImageTurn, name: string, size: number) =>
  `${name} is too large: ${size} bytes, and at most ${config.max_image_bytes} can be shown (image_reader.max_image_bytes). Have it made smaller first.`;
