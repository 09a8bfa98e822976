import { lines } from "../python-literal.ts";
import type { Work } from "./work.ts";

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)}|\\.)?`).join("|")}|sept)`;
const MARK = /§(\d{4}-\d{2}-\d{2}|today|year-end)/g;

/** "Days between A and B", "what weekday is A", "date 45 days after A", "is 2024 a leap year". */
export function dates(text: string): Work | undefined {
  const marked = markDates(text.toLowerCase());
  const found = [...marked.matchAll(MARK)].map((match) => match[1] ?? "");
  const [first, second] = found;

  const leap = /\bis (?:the year )?(\d{4}) a leap year/.exec(marked)?.[1];
  if (leap) {
    return {
      instruction: `Is ${leap} a leap year?`,
      python: lines(
        "import calendar",
        "",
        `print("${leap} is a leap year" if calendar.isleap(${Number(leap)}) else "${leap} is not a leap year")`,
      ),
    };
  }

  const span = /\b(days?|weeks?)\b/.exec(marked)?.[1];
  if (first && second && span && found.length === 2) return between(first, second, span.startsWith("week"));
  if (!first || found.length > 1) return undefined;

  const shift =
    /(\d{1,6}|an?) (day|week|month|year)s? (after|from|before|ago|since|prior to|later than)/.exec(marked);
  const added = /§\S+ (plus|minus|\+|-) (\d{1,6}|an?) (day|week|month|year)s?/.exec(marked);
  if (shift) return shifted(first, shift[1], shift[2], /before|ago|prior/.test(shift[3] ?? "") ? -1 : 1);
  if (added) return shifted(first, added[2], added[3], /minus|-/.test(added[1] ?? "") ? -1 : 1);
  if (/\b(?:until|till|since|to|left)\b/.test(marked) && span) {
    return /since/.test(marked)
      ? between(first, "today", span.startsWith("week"))
      : between("today", first, span.startsWith("week"));
  }
  if (/weekday|day of (?:the )?week|(?:what|which) (?:\w+ )?day\b|\bday (?:is|was|will)\b/.test(marked))
    return weekday(first);
  if (first === "today" && /\b(?:date|day)\b/.test(marked)) return weekday(first);
  return undefined;
}

/** The mark of a date; what is no day of the calendar gets none. */
function iso(year: string, month: number, day: string): string {
  const real = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  if (real.getUTCMonth() !== month - 1 || Number(year) < 1) return ` ${year}/${month}/${day} `;
  return `§${real.toISOString().slice(0, 10)}`;
}

function monthNumber(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1;
}

/** Every date that is written out becomes `§2024-01-15`, so that the patterns above need to know one form only. */
function markDates(text: string): string {
  return text
    .replaceAll("§", " ")
    .replace(/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g, (_, year, month, day) => iso(year, Number(month), day))
    .replace(/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, (_, day, month, year) => iso(year, Number(month), day))
    .replace(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, (_, one, two, year) =>
      // 13/05/2024 can only be a day first; otherwise the month stands first.
      Number(one) > 12 ? iso(year, Number(two), one) : iso(year, Number(one), two),
    )
    .replace(
      new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH},? (\\d{4})\\b`, "g"),
      (_, day, month, year) => iso(year, monthNumber(month), day),
    )
    .replace(new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`, "g"), (_, month, day, year) =>
      iso(year, monthNumber(month), day),
    )
    .replace(
      /\b(?:left|remaining|remain) (?:in|until the end of|of) (?:this|the) (?:current )?year\b|\b(?:left )?this year\b|\b(?:until |till )?the end of (?:the|this) year\b/g,
      "until §year-end",
    )
    .replace(/\b(?:today|now)\b/g, "§today")
    .replace(/(\d+ (?:day|week|month|year)s?) ago\b/g, "$1 before §today");
}

/** As `markDates` reads it back. */
function named(date: string): string {
  return date === "year-end" ? "the end of this year" : date;
}

function python(date: string): string {
  if (date === "today") return "date.today()";
  if (date === "year-end") return "date(date.today().year, 12, 31)";
  return `date.fromisoformat("${date}")`;
}

function between(first: string, second: string, weeks: boolean): Work {
  return {
    instruction: `How many ${weeks ? "weeks" : "days"} are there between ${named(first)} and ${named(second)}?`,
    python: lines(
      "from datetime import date",
      "",
      `first = ${python(first)}`,
      `second = ${python(second)}`,
      "days = (second - first).days",
      'print("from", first, "to", second, "there are", days, "days")',
      weeks && 'print("that is", days // 7, "weeks and", days % 7, "days")',
    ),
  };
}

function weekday(day: string): Work {
  return {
    instruction: `What weekday is ${day}?`,
    python: lines(
      "from datetime import date",
      "",
      `day = ${python(day)}`,
      'print(day, "is a", day.strftime("%A"))',
    ),
  };
}

function shifted(day: string, amount = "1", unit = "day", sign: 1 | -1): Work {
  const count = /^\d+$/.test(amount) ? Number(amount) : 1;
  const direction = sign > 0 ? "after" : "before";
  const days = count * sign * (unit === "week" ? 7 : 1);
  const months = count * sign * (unit === "year" ? 12 : 1);
  return {
    instruction: `What date is ${count} ${unit}s ${direction} ${day}?`,
    python:
      unit === "day" || unit === "week"
        ? lines(
            "from datetime import date, timedelta",
            "",
            `start = ${python(day)}`,
            `day = start + timedelta(days=${days})`,
            `print("${count} ${unit}s ${direction}", start, "is", day, day.strftime("(%A)"))`,
          )
        : lines(
            "import calendar",
            "from datetime import date",
            "",
            `start = ${python(day)}`,
            `month = start.year * 12 + start.month - 1 + ${months}`.replace("+ -", "- "),
            "year, month = month // 12, month % 12 + 1",
            "day = date(year, month, min(start.day, calendar.monthrange(year, month)[1]))",
            `print("${count} ${unit}s ${direction}", start, "is", day, day.strftime("(%A)"))`,
          ),
  };
}
