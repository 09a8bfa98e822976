/** The query can't be run; the message says what it must be. */
export class QueryRefusedError extends Error {
  override readonly name = "PermissionError";
  readonly code = "query_refused";
}

/** Texts, quoted names and comments of SQLite, each of them whole; in them nothing counts. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\//g;

/**
 * The query as a part of another one that only reads. Between the parentheses of a FROM SQLite's grammar takes nothing
 * but a SELECT (with its WITH) or VALUES, so what writes is no valid SQL there. All that has to be seen to is that the
 * query can't get out of the parentheses.
 *
 * @throws QueryRefusedError
 */
export function readOnlyQuery(query: string, maxRows: number): string {
  const bare = query.replaceAll(QUOTED, (quoted) => (/^(--|\/\*)/.test(quoted) ? " " : "x"));
  const single = bare.trimEnd().replace(/;$/, "");
  if (single.includes(";")) throw new QueryRefusedError("only one statement at a time can be run.");
  if (/['"`[]|\/\*/.test(single)) throw new QueryRefusedError("a quote or a comment is not closed.");
  // SQLite lets a parameter's name have parentheses with quotes in them; question marks do as well.
  if (/[$@#:]/.test(single))
    throw new QueryRefusedError("parameters are question marks, filled from values.");
  let depth = 0;
  for (const character of single) {
    if (character === "(") depth += 1;
    if (character === ")" && --depth < 0) break;
  }
  if (depth !== 0) throw new QueryRefusedError("its parentheses don't match.");
  if (!/^\s*(select|with|values)\b/i.test(single)) {
    throw new QueryRefusedError("the database can only be read: the query must be a SELECT.");
  }
  // A semicolon at the end is found in the query itself, where a comment may follow it.
  const text = single.length === bare.trimEnd().length ? query : withoutLastSemicolon(query);
  return `select * from (\n${text}\n) limit ${maxRows}`;
}

/** The last semicolon that is in no quotes and no comment. */
function withoutLastSemicolon(query: string): string {
  const hidden = query.replaceAll(QUOTED, (quoted) => "x".repeat(quoted.length));
  const end = hidden.lastIndexOf(";");
  return query.slice(0, end) + query.slice(end + 1);
}
