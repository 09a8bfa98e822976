/** Words that say nothing about what a text is about. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be been before being both but by can could did do does doing done
  each either else for from get give given go had has have having he her here him his how i if in into is it its just
  let like make may me might more most must my need no nor not of off on once one only or other our out over own please
  same shall she should show so some such tell than that the their them then there these they this those through to too
  under until up us use used using very want was we were what when where which while who whom why will with would you
  your`.split(/\s+/),
);

const SUFFIXES: [suffix: RegExp, replacement: string][] = [
  [/(ss|us|is)$/, "$1"],
  [/ies$/, "y"],
  [/(x|ch|sh|z|ss)es$/, "$1"],
  [/s$/, ""],
];

/** The words of a text that bear meaning, brought to a common form; parts of names like `sumOfRows` and `file_name` too. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/['’]\p{L}{1,2}(?!\p{L})/gu, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !STOP_WORDS.has(word))
    .flatMap(splitScript)
    .map(stem);
}

/** Scripts that put no spaces between words are taken two characters at a time. */
function splitScript(word: string): string[] {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) return [word];
  const characters = [...word];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/** English endings; a word of another language loses at most an s. */
function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const [suffix, replacement] = SUFFIXES.find(([pattern]) => pattern.test(word)) ?? [];
  let stemmed = suffix ? word.replace(suffix, replacement!) : word;
  const shorter = stemmed.replace(/(ing|edly|ed|ly)$/, "");
  if (shorter !== stemmed && shorter.length >= 3 && /[aeiouy]/.test(shorter)) {
    stemmed = shorter.replace(/([bdfgmnprt])\1$/, "$1");
  }
  return stemmed.length > 3 ? stemmed.replace(/e$/, "") : stemmed;
}
