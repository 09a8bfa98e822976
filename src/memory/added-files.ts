/** A request with the line in front of it that tells the model which files have come, as TaskWeaver has it. */
export function withAddedFiles(message: string, names: string[]): string {
  return names.length === 0 ? message : `files added: ${names.join(", ")}.\n${message}`;
}

/** What such a line names, and the request without it. */
export function splitAddedFiles(userQuery: string): { names: string[]; message: string } {
  const [line, names] = /^files added: (.*)\.\n/.exec(userQuery) ?? [];
  return line === undefined || names === undefined
    ? { names: [], message: userQuery }
    : { names: names.split(", "), message: userQuery.slice(line.length) };
}
