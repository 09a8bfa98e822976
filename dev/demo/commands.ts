export const COMMANDS = {
  help: { aliases: ["h", "?"], does: "shows the commands" },
  load: { aliases: ["file", "img", "image"], does: "<path> adds a file to the next message" },
  save: { aliases: [], does: "saves this session as experience for later ones" },
  info: { aliases: [], does: "shows the server, the session and the files that wait" },
  reset: { aliases: [], does: "begins a new session" },
  clear: { aliases: [], does: "clears the screen" },
  exit: { aliases: ["bye", "quit"], does: "ends the demo" },
} as const satisfies Record<string, { aliases: string[]; does: string }>;

export type CommandName = keyof typeof COMMANDS;
export type Line =
  | { kind: "command"; name: CommandName; argument: string }
  | { kind: "unknown"; name: string }
  | { kind: "message"; text: string }
  | { kind: "nothing" };

/** Reads a line of the conversation. Only a word behind a slash is a command: a path such as /tmp/a.csv is a message. */
export function readLine(line: string): Line {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  const found = /^\/([a-z]+|\?)(?:\s+(.*))?$/is.exec(text);
  if (!found) return { kind: "message", text };
  const word = (found[1] ?? "").toLowerCase();
  const command = Object.entries(COMMANDS).find(
    ([name, { aliases }]) => name === word || (aliases as readonly string[]).includes(word),
  );
  if (!command) return { kind: "unknown", name: word };
  return { kind: "command", name: command[0] as CommandName, argument: unquoted((found[2] ?? "").trim()) };
}

export function listCommands(): string {
  return Object.entries(COMMANDS)
    .map(([name, { aliases, does }]) => {
      const names = [name, ...aliases].map((each) => `/${each}`).join(" ");
      return `  ${names.padEnd(26)} ${does}`;
    })
    .join("\n");
}

/** A path may stand in quotes, as terminals paste it. */
function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}
