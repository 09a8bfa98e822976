import { sha256Hex } from "../lib/digest.ts";

const KEY = /^twe_([0-9a-f]{12})_[0-9a-f]{48}$/;

/** A new key: its id is for everybody to see, the rest are 192 random bits. */
export function createApiKey(): { id: string; key: string } {
  const hex = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
  const id = hex(6);
  return { id, key: `twe_${id}_${hex(24)}` };
}

/** The id in a key; undefined when it is none of these keys. */
export function idOfApiKey(key: string): string | undefined {
  return KEY.exec(key)?.[1];
}

/** What is kept of a key. It holds too much chance to be guessed, so that no slow hash is needed. */
export const hashApiKey = (key: string) => sha256Hex(key);
