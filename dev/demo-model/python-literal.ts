/** A Python string literal that stands for exactly this text: JSON's escapes mean the same in Python. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

export function pythonList(texts: string[]): string {
  return `[${texts.map(pythonString).join(", ")}]`;
}

/** Lines of a program; `false` leaves a line out. */
export function lines(...parts: (string | false | undefined)[]): string {
  return parts.filter((part) => typeof part === "string").join("\n");
}
