const VERBS =
  "draw|plot|chart|show|make|create|compute|calculate|give|tell|list|find|visuali[sz]e|count|what|which|who|how|sort|rank|graph|compare|describe|summari[sz]e|display|print|save|load|open|read|import|upload|plus|also|then|a (?:bar|line|chart)|the chart";

const BREAK = new RegExp(
  String.raw`\s*(?:;|\n+|[.?!](?=\s|$)|,?\s*\b(?:and )?(?:then|after that|finally|next|afterwards)\b,?|,?\s+(?:and|as well as)\s+(?=(?:also |then |please )?(?:${VERBS})\b)|,\s+(?=(?:${VERBS})\b))\s*`,
  "i",
);

/** A request split where another wish begins: "load it, then show the mean by region and draw a bar chart". */
export function splitClauses(text: string): string[] {
  return joinPreparations(
    text
      .split(BREAK)
      .map((clause) => clause.trim())
      .filter((clause) => /[\p{L}\p{N}§]/u.test(clause)),
  );
}

/** Half a wish: what it says belongs to the clause behind it ("group by city and compute the mean salary"). */
const PREPARES = /^(?:please )?(?:group|filter|order|sort)\b/i;

function joinPreparations(clauses: string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < clauses.length; index++) {
    const [clause = "", next = ""] = [clauses[index], clauses[index + 1]];
    const sorts = /^(?:please )?(?:sort|order)\b/i.test(clause);
    const goesOn = sorts
      ? /^(?:show|list|display|print|give)\b.*\b(?:top|first|last|bottom) \w+\W*(?:rows)?\W*$/i.test(next)
      : next !== "";
    if (PREPARES.test(clause) && goesOn) {
      joined.push(sorts ? `${clause} ${next}` : `${next} ${clause}`);
      index++;
    } else joined.push(clause);
  }
  return joined;
}
