import { lines, pythonString } from "../python-literal.ts";
import { parseExpression, partsOf, printExpression, type Expression } from "./expression.ts";
import type { Work } from "./work.ts";

/** Python refuses to print an integer of more than 4,300 digits. */
const MOST_DIGITS = 4000;
const LARGEST_FACTORIAL = 1400;
const ISO_DATE = /\d{4}-\d{1,2}-\d{1,2}/;

/** "What is 17*23", "12% of 340", "square root of 2 to 10 digits". */
export function arithmetic(text: string): Work | undefined {
  if (text.length > 500 || ISO_DATE.test(text)) return undefined;
  const plain = toSymbols(text);
  const wanted =
    /\s*(?:rounded )?to (\d{1,2}) (significant )?(?:digits|decimals|decimal places|places|figures|figs)\s*$/.exec(
      plain,
    );
  const expression = parseExpression(wanted ? plain.slice(0, wanted.index) : plain);
  if (!expression || ![...partsOf(expression)].some((part) => part.kind === "operation" || isFunction(part)))
    return undefined;
  if (tooLarge(expression)) return undefined;

  const asked = printExpression(expression);
  const digits = wanted?.[1];
  const rounding = digits ? ` to ${digits} ${wanted?.[2] ? "significant digits" : "digits"}` : "";
  return {
    instruction: `Work out ${asked}${rounding}.`,
    python:
      !digits && isWhole(expression)
        ? wholeProgram(expression, asked)
        : decimalProgram(expression, asked, digits, !!wanted?.[2]),
  };
}

function toSymbols(text: string): string {
  return text
    .toLowerCase()
    .replace(/```(?:python|py)?|`/g, " ")
    .replace(/(\d),(?=\d{3}\b)/g, "$1")
    .replace(/^\s*(?:please|hey|hi|hello|can you|could you)[\s,]+/, "")
    .replace(/^\s*(?:using|with|in) (?:python|code)[\s,:]+/, "")
    .replace(/[\s,]*\b(?:using|with|in|by running) (?:python|code)[\s.?]*$/, "")
    .replace(
      /^\s*(?:and )?(?:what(?:'s| is| are| does| would be)?|calculate|compute|evaluate|solve|work out|how much is|tell me|give me|run(?: this)?(?: code)?:?|python:?)\s+/,
      "",
    )
    .replace(/^\s*(?:the )?(?:result|value|answer) (?:of|to) /, "")
    .replace(/^\s*print\s*\((.*)\)\s*$/s, "$1")
    .replace(/(?:\s*(?:please|equal(?: to)?|=))?[\s?.=]*$/, "")
    .replace(/(\d+(?:\.\d+)?) is (?:what|how many) (?:percent(?:age)?|%) of (\d+(?:\.\d+)?)/, "$1 / $2 * 100")
    .replace(/(?:percent(?:age)?|%) is (\d+(?:\.\d+)?) of (\d+(?:\.\d+)?)/, "$1 / $2 * 100")
    .replace(/(\d+(?:\.\d+)?)\s*(?:%|percent)\s*of\s*(?:the )?/g, "($1 / 100) * ")
    .replace(/(?:the )?(?:square root|root) of|√/g, " sqrt ")
    .replace(/(?:the )?factorial of (\d+)/g, "$1!")
    .replace(/(\d+) factorial/g, "$1!")
    .replace(/\bdivided by\b|\bover\b|÷/g, "/")
    .replace(/\bmultiplied by\b|\btimes\b|[×·]|(?<=\d\s*)x(?=\s*[\d(])/g, "*")
    .replace(/\bplus\b/g, "+")
    .replace(/\bminus\b|−/g, "-")
    .replace(/\bmod(?:ulo)?\b/g, "%")
    .replace(/\b(?:raised )?to the power (?:of )?|\bto the (?=\d)/g, "**")
    .replace(/\bsquared\b/g, "** 2")
    .replace(/\bcubed\b/g, "** 3");
}

function isFunction(part: Expression): boolean {
  return part.kind === "call" && part.name !== "negative";
}

/** Whether plain integers give an exact answer of a printable size. */
function isWhole(expression: Expression): boolean {
  const parts = [...partsOf(expression)];
  if (parts.filter((part) => part.kind === "operation" && part.sign === "**").length > 1) return false;
  return parts.every((part) => {
    if (part.kind === "number") return /^\d+$/.test(part.text);
    if (part.kind === "call") return part.name !== "sqrt";
    if (part.sign !== "**") return part.sign !== "/";
    if (part.left.kind !== "number" || part.right.kind !== "number") return false;
    return Number(part.right.text) * Math.log10(Number(part.left.text) + 1) < MOST_DIGITS;
  });
}

function tooLarge(expression: Expression): boolean {
  return [...partsOf(expression)].some(
    (part) =>
      part.kind === "call" &&
      part.name === "factorial" &&
      !(part.of.kind === "number" && /^\d+$/.test(part.of.text) && Number(part.of.text) <= LARGEST_FACTORIAL),
  );
}

function wholeProgram(expression: Expression, asked: string): string {
  const needsMath = [...partsOf(expression)].some(isFunction);
  return lines(
    needsMath && "import math\n",
    `result = ${write(expression, (text) => String(BigInt(text)))}`,
    `print(${pythonString(`${asked} =`)}, result)`,
  );
}

function decimalProgram(
  expression: Expression,
  asked: string,
  digits: string | undefined,
  significant: boolean,
): string {
  const needsMath = [...partsOf(expression)].some(
    (part) => part.kind === "call" && part.name === "factorial",
  );
  const shown = digits
    ? significant
      ? `format(Context(prec=${Number(digits) || 1}).plus(result), "f")`
      : `format(result, ".${Number(digits)}f")`
    : "show(result)";
  return lines(
    needsMath && "import math",
    "from decimal import Context, Decimal, getcontext",
    "",
    "getcontext().prec = 120",
    "",
    !digits && SHOW,
    `result = ${write(expression, (text) => `Decimal("${text}")`)}`,
    `print(${pythonString(`${asked} =`)}, ${shown})`,
  );
}

const SHOW = `
def show(value):
    """Fifteen significant digits, without an exponent where that stays readable."""
    value = Context(prec=15).plus(value).normalize()
    return format(value, "f") if -12 < value.adjusted() < 30 else str(value)

`;

function write(expression: Expression, number: (text: string) => string): string {
  switch (expression.kind) {
    case "number":
      return number(expression.text);
    case "call": {
      const inner = write(expression.of, number);
      if (expression.name === "sqrt") return `(${inner}).sqrt()`;
      if (expression.name === "negative") return `(-${inner})`;
      return number("1") === "1" ? `math.factorial(${inner})` : `Decimal(math.factorial(int(${inner})))`;
    }
    case "operation": {
      const sides = [expression.left, expression.right].map((part) => {
        const side = write(part, number);
        return part.kind === "operation" ? `(${side})` : side;
      });
      return sides.join(` ${expression.sign} `);
    }
  }
}
