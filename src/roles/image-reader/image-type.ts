/** What models can be shown, by the bytes that such files begin with; `?` is any byte. */
const beginnings: [mime: string, beginning: string][] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF????WEBP"],
];

/** The type of an image by its content: names and senders say what they like. Undefined for what can't be shown. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  return beginnings.find(([, beginning]) =>
    [...beginning].every((character, at) => character === "?" || bytes[at] === character.charCodeAt(0)),
  )?.[0];
}
