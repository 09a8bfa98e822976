import { parseArgs } from "node:util";

export interface DemoArguments {
  /** Undefined when there is none: the sample question is asked, or a conversation begins. */
  question?: string;
  files: string[];
  url?: string;
  key?: string;
  help: boolean;
}

export const USAGE = `Usage: npm run demo -- ["question"] [--file path]… [--url URL [--key KEY]]

  --file path   a file to ask about; may be given several times
  --url URL     talk to a running server instead of starting one
  --key KEY     the API key for that server
  --help        this text

Without a question a sample is asked about a sample file, and in a terminal the conversation goes on from there.`;

/** The demo was called wrongly; the message says what is wrong. */
export class UsageError extends Error {
  readonly code = "usage";
}

/** Reads the command line, or throws a UsageError. */
export function parseArguments(words: string[]): DemoArguments {
  const { values, positionals } = read(words);
  const question = positionals.join(" ").trim();
  if (values.key !== undefined && values.url === undefined) throw new UsageError("--key goes with --url.");
  if (values.url !== undefined && !/^https?:\/\/[^/]/.test(values.url)) {
    throw new UsageError(`--url takes an address such as http://127.0.0.1:8787, not "${values.url}".`);
  }
  return {
    ...(question && { question }),
    files: values.file ?? [],
    url: values.url?.replace(/\/+$/, ""),
    key: values.key,
    help: values.help ?? false,
  };
}

function read(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        file: { type: "string", multiple: true },
        url: { type: "string" },
        key: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    // parseArgs names the option; its second sentence is about `--`, which helps nobody here.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${message.split(". ")[0]}.`.replace(/\.\.$/, "."), { cause: error });
  }
}
