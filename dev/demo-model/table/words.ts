/** Words that can stand for each other in a column's name and in a question. */
const SYNONYMS = [
  ["sale", "revenue", "turnover", "income", "earning"],
  ["amount", "total", "sum"],
  ["unit", "quantity", "qty", "piece"],
  ["price", "cost"],
  ["product", "item", "article"],
  ["category", "type", "kind"],
  ["region", "area", "zone", "territory"],
  ["country", "nation"],
  ["city", "town"],
  ["customer", "client", "buyer"],
  ["employee", "staff", "worker", "person", "people"],
  ["salary", "pay", "wage"],
  ["department", "dept", "team"],
  ["date", "day", "when"],
  ["score", "grade", "mark", "point"],
  ["shop", "store"],
];

/** Words of a question that name no column, however much a column may be called the same. */
export const GRAMMAR = new Set(
  (
    "a an and any are as at be between bar by can chart column columns compute count data did do does draw each every excluding " +
    "file files find first for from give had has have head highest how i in is it its last least line list load lowest many max " +
    "maximum mean average median me min minimum most much my number of on one or our over per please plot record records row rows show sort " +
    "sorted sum table than that the their then there these this those to top total under value values was what were when where " +
    "which who whose with not no only all also into their they compare graph picture svg blank empty missing distinct unique " +
    "different correlation summary summarize describe low high step report result results answer question csv overall " +
    "biggest largest smallest greatest best worst bottom tell make create calculate get see using use"
  ).split(" "),
);

/** The words of a text as they are compared: lower case, no plural. */
export function stems(text: string): string[] {
  return (
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.map(stem) ?? []
  );
}

export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length < 4 || /(?:ss|us|is)$/.test(lower)) return lower;
  if (lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  if (/(?:ch|sh|x|z|ss)es$/.test(lower)) return lower.slice(0, -2);
  return lower.endsWith("s") ? lower.slice(0, -1) : lower;
}

export function areSynonyms(one: string, two: string): boolean {
  return SYNONYMS.some((group) => group.includes(one) && group.includes(two));
}

/** Further words that change nothing about what is asked. */
const FILLERS = new Set(
  (
    "median stdev ndistinct ranked sold rising falling did do much were sell sells bought selling ordered made make please could " +
    "would you want need like we us them its happened stand stands display print head tail data dataset preview help look here " +
    "some more if will shall let know based content contents everything ok okay entire whole full thanks thank order spreadsheet " +
    "sheet document detail details general title label labels axis axes legend color colors colour colours svg example together " +
    "each every range bigger smaller were kind nice simple again same about what current there analysis task request name names " +
    "placed purchased work works live lives spent received appear appears occur occurs exist exists belong registered located save saved"
  ).split(" "),
);

/** Whether a word belongs to the grammar or to mere politeness, so that it need not be a column or a value. */
export function isFamiliar(word: string): boolean {
  return [word, stem(word)].some((each) => GRAMMAR.has(each) || FILLERS.has(each)) || word.includes("_");
}
