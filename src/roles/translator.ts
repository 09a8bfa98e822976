import { JSONParser } from "@streamparser/json";

export type Translation = { ok: true; fields: Record<string, string> } | { ok: false; error: string };

/** Told while the model writes: a field of the reply has grown, or is complete. */
export type OnField = (name: string, delta: string, isEnd: boolean) => void;

/**
 * Turns a model's reply, `{"response": {…}}`, into its fields as it streams in. Lenient as models need it: a code
 * fence or words around the JSON are passed over, the order of keys is free, values that aren't strings become their
 * text. What is cut off or malformed is an outcome to answer, not an exception.
 */
export function createTranslator(onField: OnField = () => {}) {
  const fields: Record<string, string> = {};
  const shown = new Map<string, number>();
  let started = false;
  let ended = false;
  let failure: string | undefined;

  const parser = new JSONParser({
    emitPartialTokens: true,
    emitPartialValues: true,
    paths: ["$.response.*"],
  });
  parser.onValue = ({ key, value, partial }) => {
    if (typeof key !== "string" || (partial && typeof value !== "string")) return;
    const text = asText(value);
    const from = shown.get(key) ?? 0;
    if (partial && text.length === from) return;
    onField(key, text.slice(from), !partial);
    shown.set(key, text.length);
    if (!partial) {
      fields[key] = text;
      // The same key once more starts over.
      shown.delete(key);
    }
  };
  parser.onEnd = () => (ended = true);
  parser.onError = (error) => (failure ??= error.message);

  function write(piece: string): void {
    if (ended || failure !== undefined) return;
    let json = piece;
    if (!started) {
      const start = piece.indexOf("{");
      if (start < 0) return;
      started = true;
      json = piece.slice(start);
    }
    // One character at a time past a closing brace, so that what follows the JSON is never read as a part of it.
    for (const part of json.split(/(?<=\})/)) {
      if (ended || failure !== undefined) return;
      try {
        parser.write(part);
      } catch (error) {
        failure ??= error instanceof Error ? error.message : String(error);
      }
    }
  }

  function end(): Translation {
    if (!started) return { ok: false, error: "The reply holds no JSON object." };
    if (failure !== undefined) return { ok: false, error: `The reply is not valid JSON: ${failure}` };
    if (!ended) return { ok: false, error: "The reply was cut off before its JSON ended." };
    if (Object.keys(fields).length === 0) {
      return { ok: false, error: 'The reply has no fields under the key "response".' };
    }
    return { ok: true, fields };
  }

  return { write, end };
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
