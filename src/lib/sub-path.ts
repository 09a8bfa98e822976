const MAX_LENGTH = 200;

/**
 * Whether a text names a folder below a base folder and nothing else: no way out of it, no absolute path, no
 * backslashes. The empty one is the base folder itself.
 */
export function isSubPath(text: string): boolean {
  if (text === "") return true;
  if (text.length > MAX_LENGTH || /[\\\p{Cc}]|^[A-Za-z]:/u.test(text)) return false;
  return text.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
