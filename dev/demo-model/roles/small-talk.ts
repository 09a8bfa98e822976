/** Stands under everything that is said to the User, so that nobody takes these rules for a language model. */
export const MARK = "(demo model: rules, not a language model)";

export const CANNOT_DO_THAT = `This is TaskWeaver's demo model: it works by rules and can't do that. Set OPENAI_API_KEY to use a real model. ${MARK}`;

const REAL_MODEL =
  "For everything else plug in a real model: set OPENAI_API_KEY (and OPENAI_BASE_URL, OPENAI_MODEL for other providers) " +
  "in the environment or in .dev.vars, and start again.";

const ABILITIES = `I can
- answer questions about a CSV file that you add: rows, columns, counts, sums, means, medians, minima and maxima, also by group ("mean sales by region"), with conditions ("where region is North", "with price over 10", "in 2024"), top lists, different values, sorting, correlation
- draw bar and line charts of such figures as SVG files
- work out arithmetic ("12% of 340", "square root of 2 to 10 digits"), primes, factorials, Fibonacci numbers
- count with dates ("days between 2024-01-15 and 2024-03-01", "what weekday is 2024-07-04") and count the words of a "quoted text"
All of it is computed by Python code in the sandbox.`;

export const HELP = `${ABILITIES}\n\n${REAL_MODEL}`;

export const NOT_UNDERSTOOD = `I didn't understand that.\n\n${HELP}`;

export const NO_PASTED_CODE = `I don't run code that was pasted: of such requests I only work out plain arithmetic.\n\n${REAL_MODEL}`;

export const UNABLE = (word: string) => `I can't do that part: "${word}".\n\n${HELP}`;

const TALK: [RegExp, string][] = [
  [
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|howdy)(?: there| again| taskweaver| everyone| all)?$/,
    "Hello! Add a CSV file and ask something about it, or ask me to work something out.",
  ],
  [
    /^(?:ok(?:ay)? |great |perfect |cool )?(?:thanks|thank you|thx|cheers)(?: a lot| so much| very much| for .*| again)?$/,
    "You're welcome.",
  ],
  [/^(?:bye|goodbye|good ?bye|see you|good night|ciao)(?: bye| later| then)?$/, "Goodbye!"],
  [
    /^(?:ok|okay|great|perfect|cool|nice|good|fine|well done|yes|no|got it)$/,
    "All right. Ask whatever you want to know next.",
  ],
  [
    /^how are you(?: doing)?(?: today)?$/,
    "I'm a set of rules, so always the same. Ask me something that I can work out.",
  ],
  [
    /^(?:who|what) are you\b.*|^(?:what is|what's) your name$|^are you (?:a |an )?(?:real |human|bot|ai|llm|language model|gpt|chatgpt).*|^what (?:language )?model (?:are you|is this).*|^introduce yourself$/,
    `I am TaskWeaver's demo model: a set of rules that plans and writes Python, standing in where no language model is configured.\n\n${HELP}`,
  ],
  [
    /^(?:help|what can (?:you|i|it|this) (?:do|ask|help).*|what do you do|how (?:can|do) (?:you help|i use|you work|this work|does this work).*|what are you able to do|help me)$/,
    HELP,
  ],
  [/^(?:test|testing|ping)$/, "I'm here."],
];

/** The answer to a greeting, thanks, or a question about the model itself. */
export function smallTalk(text: string): string | undefined {
  const plain = text
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/[!?.,\s]+/g, " ")
    .replace(/^(?:hi|hello|hey) (?=\w)(?!there|again|taskweaver|everyone|all)/, "")
    .trim();
  return TALK.find(([pattern]) => pattern.test(plain))?.[1];
}
