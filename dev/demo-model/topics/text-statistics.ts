import { lines, pythonString } from "../python-literal.ts";
import type { Work } from "./work.ts";

const QUOTED = /"((?:[^"\\]|\\.)+)"|“([^”]+)”|'([^']+)'(?=[\s?.!,]|$)/;

const QUESTIONS: { asks: RegExp; sentence: string; python: string }[] = [
  {
    asks: /\bpalindrome\b/i,
    sentence: "Is the text a palindrome",
    python:
      'letters = [letter.casefold() for letter in text if letter.isalnum()]\nprint("a palindrome" if letters == letters[::-1] else "not a palindrome")',
  },
  { asks: /\breverse|backwards\b/i, sentence: "Reverse the text", python: 'print("reversed:", text[::-1])' },
  {
    asks: /\bmost (?:common|frequent) (?:letter|character)/i,
    sentence: "Find the most common letter of the text",
    python:
      'letters = Counter(letter.casefold() for letter in text if letter.isalpha())\nfor letter, count in letters.most_common(1):\n    print("the most common letter is", letter, "with", count)',
  },
  {
    asks: /\b(?:count|how many|number of)\b.*\bwords?\b|\bword count\b/i,
    sentence: "Count the words of the text",
    python: 'print("words:", len(text.split()))',
  },
  {
    asks: /\b(?:count|how many|number of)\b.*\bvowels?\b/i,
    sentence: "Count the vowels of the text",
    python: 'print("vowels:", sum(letter in "aeiou" for letter in text.casefold()))',
  },
  {
    asks: /\b(?:count|how many|number of)\b.*\b(?:letters?|characters?)\b|\blength\b|\bhow long\b/i,
    sentence: "Count the characters of the text",
    python: 'print("characters:", len(text), "- letters:", sum(letter.isalpha() for letter in text))',
  },
  {
    asks: /\b(?:upper ?case|capitals)\b/i,
    sentence: "Put the text in upper case",
    python: "print(text.upper())",
  },
];

/** Counts and small changes of a text that stands in quotes in the question. */
export function textStatistics(text: string): Work | undefined {
  const quoted = QUOTED.exec(text);
  if (!quoted) return undefined;
  const content = unescaped(quoted);
  const question = QUESTIONS.find(({ asks }) => asks.test(text.replace(quoted[0], " ")));
  if (!question) return undefined;
  return {
    instruction: `${question.sentence}: ${JSON.stringify(content)}`,
    python: lines(
      question.python.includes("Counter") && "from collections import Counter\n",
      `text = ${pythonString(content)}`,
      question.python,
    ),
  };
}

function unescaped(quoted: RegExpExecArray): string {
  if (quoted[1] === undefined) return quoted[2] ?? quoted[3] ?? "";
  try {
    return JSON.parse(`"${quoted[1]}"`) as string;
  } catch {
    return quoted[1]; // Typed by a person, whose backslashes mean themselves.
  }
}
