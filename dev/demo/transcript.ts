import type { Colours } from "./colours.ts";
import { withoutControls } from "./colours.ts";
import type { DemoEvent, Post } from "./events.ts";
import { describeRoundEnd } from "./round-end.ts";

/** What an event adds to the screen. */
export interface Shown {
  /** Text to append; it may end within a line. */
  text: string;
  /** What is going on until the next event. */
  status?: string;
}

/** How each kind of attachment is called; kinds that are not for people are left out. */
const LABELS: Record<string, string | undefined> = {
  plan_reasoning: "reasoning",
  plan: "plan",
  current_plan_step: "step",
  thought: "thought",
  reply_content: "code",
  python: "code",
  verification: "verification",
  code_error: "error",
  execution_status: "execution",
  execution_result: "result",
  revise_message: "mending",
  text: "text",
};
const HIDDEN = new Set([
  "init_plan",
  "stop",
  "reply_type",
  "artifact_paths",
  "shared_memory_entry",
  "signal",
  "board",
]);

const OUTCOME = new Set([
  "verification",
  "code_error",
  "execution_status",
  "execution_result",
  "revise_message",
]);

/**
 * Turns a round's events into the text of a conversation. It does no output of its own: what it returns, in order, is all
 * that is to be written.
 */
export function createTranscript(colours: Colours) {
  let post = newPost();
  let column = 0;

  const write = (text: string): string => {
    if (text) column = text.endsWith("\n") ? 0 : 1;
    return text;
  };
  const freshLine = () => (column > 0 ? write("\n") : "");

  function begin(role: string, id: string): string {
    if (post.id === id && post.role) return "";
    post = newPost(id, role);
    return write(`${freshLine()}\n${colours.bold(`● ${role}`)}\n`);
  }

  /** Opens a labelled section, or goes on with it when it is the open one. */
  function section(key: string, label: string): string {
    if (post.open === key) return "";
    post.open = key;
    return write(`${freshLine()}  ${colours.cyan(label)}\n`);
  }

  function body(text: string): string {
    let shown = "";
    for (const part of withoutControls(text).split(/(?<=\n)/))
      shown += write(`${column === 0 && part !== "" ? "    " : ""}${part}`);
    return shown;
  }

  /** Shows the part of a text that isn't on the screen yet. */
  function whole(key: string, label: string, text: string): string {
    const before = post.texts.get(key) ?? "";
    if (text === "" || text === before) return "";
    post.texts.set(key, text);
    if (!text.startsWith(before))
      return `${section(`${key} again`, `${label} (revised)`)}${body(text)}${freshLine()}`;
    if (before === "" && key !== "message" && !text.includes("\n") && text.length < 100) {
      post.open = "";
      return write(`${freshLine()}  ${colours.cyan(label)} ${withoutControls(text)}\n`);
    }
    return `${section(key, label)}${body(text.slice(before.length))}${freshLine()}`;
  }

  function delta(key: string, label: string, text: string): string {
    post.texts.set(key, (post.texts.get(key) ?? "") + text);
    return text === "" ? "" : `${section(key, label)}${body(text)}`;
  }

  function attachment(id: string, type: string, text: string, isWhole: boolean): string {
    if (HIDDEN.has(type)) return "";
    if (type === "execution_status") post.executed = true;
    // The outcome comes in one piece; by the end it is known what of it was shown already.
    if (OUTCOME.has(type) && !isWhole) return "";
    if (type === "execution_result") return whole(id, "result", withoutShown(text, post));
    // Said of every piece of code, also where nothing was verified.
    if (type === "verification") post.verified = text;
    const isClean = ["NONE", "CORRECT"].includes(post.verified);
    if (isClean && (type === "verification" || type === "code_error")) return "";
    const label = LABELS[type] ?? type;
    return isWhole ? whole(id, label, text) : delta(id, label, text);
  }

  function end(ended: Post): string {
    let shown = begin(ended.send_from, ended.id);
    post.sendTo = ended.send_to;
    for (const each of ended.attachment_list) shown += attachment(each.id, each.type, each.content, true);
    // The code and its outcome stand above already; the account of them for the Planner would only repeat it.
    const repeats = post.executed && ended.send_to !== "User";
    const began = post.texts.has("message");
    if (!repeats) shown += whole("message", arrow(ended.send_to), ended.message);
    // Who it goes to may be known only after the message has begun.
    if (repeats || (began && !post.named))
      shown += write(`${freshLine()}  ${colours.cyan(arrow(ended.send_to))}
`);
    shown += freshLine();
    post = newPost();
    return shown;
  }

  return {
    show(event: DemoEvent): Shown {
      switch (event.type) {
        case "round_queued":
          return { text: "", status: `waiting behind ${event.data.position} other message(s)` };
        case "round_start":
          return { text: "", status: "the round starts" };
        case "post_start":
          return {
            text: begin(event.data.role, event.post_id ?? ""),
          };
        case "post_status":
          return {
            // The status stands on a line of its own, under what there is so far.
            text: freshLine(),
            status: withoutControls(`${post.role ? `${post.role}: ` : ""}${event.data.status}`),
          };
        case "post_send_to":
          post.sendTo = event.data.send_to;
          return { text: "" };
        case "post_message":
          // What goes to the Planner repeats the code and its outcome; post_end decides whether to show it.
          if (post.executed && post.sendTo !== "User") return { text: "" };
          post.named ||= post.sendTo !== "" && !post.texts.has("message");
          return { text: delta("message", arrow(post.sendTo), event.data.delta) };
        case "post_attachment":
          return {
            text: attachment(event.data.attachment_id, event.data.attachment_type, event.data.delta, false),
          };
        case "post_error": {
          post.texts.clear();
          post.open = "";
          return {
            text: write(
              `${freshLine()}  ${colours.red(`(withdrawn: ${withoutControls(event.data.message)})`)}\n`,
            ),
          };
        }
        case "post_end":
          return { text: end(event.data.post) };
        case "execution_output":
          post.output += event.data.text;
          return {
            text:
              section("output", event.data.stream === "stderr" ? "output (stderr)" : "output") +
              body(event.data.text),
          };
        case "artifact": {
          const { name, mime, size } = event.data;
          post.files++;
          const facts = [mime, size === undefined || size === null ? undefined : `${size} bytes`]
            .filter(Boolean)
            .join(", ");
          post.open = "";
          return {
            text: write(
              `${freshLine()}  ${colours.green(`◆ ${withoutControls(name)}`)}${facts ? ` (${facts})` : ""}\n`,
            ),
          };
        }
        case "warning":
          post.open = "";
          return {
            text: write(
              `${freshLine()}  ${colours.red(`warning: ${withoutControls(event.data.message)}`)}\n`,
            ),
          };
        case "round_error":
          return { text: "" }; // The same is in round_end, which always follows.
        case "round_end":
          return { text: write(`${freshLine()}\n${describeRoundEnd(event.data.round, colours)}\n`) };
      }
    },
  };
}

function arrow(recipient: string): string {
  return recipient ? `→ ${recipient}` : "message";
}

function newPost(id = "", role = "") {
  return {
    id,
    role,
    sendTo: "",
    /** The section that further text goes on with. */
    open: "",
    /** What was shown of each attachment and of the message. */
    texts: new Map<string, string>(),
    output: "",
    files: 0,
    executed: false,
    verified: "",
    /** Whether the recipient stood over the message when it began. */
    named: false,
  };
}

/** What an execution's result says beyond the output and the files that were shown while they came. */
function withoutShown(result: string, { output, files }: { output: string; files: number }): string {
  const live = output.trim();
  const rest = live === "" ? result : result.replace(live, "").replace(/^(?:Output|stdout):?[ \t]*$/m, "");
  return (files > 0 ? rest.replace(/^Files: .*$/m, "") : rest).trim();
}
