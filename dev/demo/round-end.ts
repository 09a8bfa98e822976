import { withoutControls, type Colours } from "./colours.ts";
import type { Round } from "./events.ts";

/** What a person can do about a round that failed, by its error's code. */
const REMEDIES: Record<string, string> = {
  cancelled: "Ask again when you like.",
  round_limit:
    "The roles talked too long: ask for less at once, or raise session.max_internal_chat_round_num.",
  time_limit: "It took too long: ask for less at once, or raise the time limit in taskweaver_config.json.",
  token_limit:
    "It took too many tokens: ask for less at once, or raise the token limit in taskweaver_config.json.",
  model_unreachable: "Check OPENAI_BASE_URL and the network, then ask again.",
  model_rejected: "Check OPENAI_API_KEY and OPENAI_MODEL.",
  sandbox_unreachable: "Check that the sandbox runs (SANDBOX_URL, SANDBOX_TOKEN), then ask again.",
  role_failed: "A role broke: the server's log says where.",
};

/** The last lines about a round: what it took, or why it failed and what to do. */
export function describeRoundEnd(round: Round, colours: Colours): string {
  if (round.state === "finished") {
    const stop = round.stop && round.stop !== "Completed" ? ` (${withoutControls(round.stop)})` : "";
    return colours.green(`finished${stop}`) + colours.dim(receipt(round));
  }
  const code = withoutControls(round.error?.code ?? round.state);
  const message = withoutControls(round.error?.message ?? "the server gave no reason");
  const remedy = REMEDIES[code] ?? "Ask again; when it stays like this, the server's log says more.";
  return `${colours.red(`failed: ${code}`)}\n  ${message}\n  ${remedy}`;
}

function receipt({ usage }: Round): string {
  if (!usage) return "";
  const tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
  const parts = [
    usage.total_ms !== undefined && `${(usage.total_ms / 1000).toFixed(1)} s`,
    usage.model_calls !== undefined && `${usage.model_calls} model calls`,
    tokens > 0 && `${tokens} tokens`,
  ].filter(Boolean);
  return parts.length > 0 ? `  ${parts.join(", ")}` : "";
}
