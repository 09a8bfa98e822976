import { fillTemplate } from "../../lib/fill-template.ts";
import { RoundFailure } from "../../lib/round-failure.ts";
import { attachmentsOf, USER } from "../../memory/post.ts";
import { askModel, streamAttachments } from "../ask-model.ts";
import { defineRole, type Turn } from "../role.ts";
import type { OnField } from "../translator.ts";
import { planFields, plannerMessages, plannerSchema } from "./prompt.ts";

const MAX_CORRECTIONS = 3;

/** The centre of the star: plans, instructs workers, answers the User. */
export const role = defineRole({
  name: "planner",
  alias: "Planner",
  memory: "compressed",
  beginsEarly: true,
  intro: "Planner splits the User's request into steps and leads the workers.",
  async reply(turn) {
    turn.post.status("planning");
    const schema = plannerSchema(turn);
    const examples = await turn.examples.load();
    const lessons = await turn.experience.load({ query: turn.query });
    const messages = plannerMessages(turn, { examples, lessons, schema });
    const { translation, text } = await askModel(turn, messages, schema, () => listen(turn));
    const complaint = translation.ok ? complain(turn, translation.fields) : translation.error;
    if (complaint !== undefined) return correct(turn, complaint, text);
    if (!translation.ok) return;

    const { send_to: sendTo = "", plan = "" } = translation.fields;
    turn.post.sendTo(sendTo);
    turn.shared.put({ type: "plan", content: plan, scope: "round" });
    turn.board.write(`The User's request: ${turn.query}\nThe plan:\n${plan}`);
  },
});

/** Shows the reply while it comes. To whom it goes is told as soon as it is known: who waits for an answer goes by it. */
function listen(turn: Turn): OnField {
  let sendTo = "";
  return streamAttachments(turn, planFields, (name, delta, isEnd) => {
    if (name === "message") turn.post.write(delta);
    if (name !== "send_to") return;
    sendTo += delta;
    if (isEnd && receiversOf(turn).includes(sendTo)) turn.post.sendTo(sendTo);
  });
}

const receiversOf = (turn: Turn): string[] => [...turn.workers.map(({ alias }) => alias), USER];

/** What is wrong with a reply that is sound JSON, in words that the model can act on. */
function complain(turn: Turn, fields: Record<string, string>): string | undefined {
  const receivers = receiversOf(turn);
  for (const name of ["init_plan", "plan", "current_plan_step"] as const) {
    if (!fields[name]?.trim()) return `"${name}" is missing or empty.`;
  }
  if (!fields.message?.trim()) return '"message" is missing or empty.';
  if (!receivers.includes(fields.send_to ?? "")) {
    return `"send_to" is "${fields.send_to ?? ""}", but must be one of: ${receivers.join(", ")}.`;
  }
  return undefined;
}

/** Sends the bad reply back to the Planner itself, with what to mend; gives up after a few in a round. */
function correct(turn: Turn, error: string, text: string): void {
  const posts = turn.memory.rounds.at(-1)?.posts ?? [];
  const corrections = posts.filter((post) => attachmentsOf(post, "invalid_response").length > 0).length;
  if (corrections >= MAX_CORRECTIONS) {
    throw new RoundFailure(
      "role_failed",
      `The Planner's model gave ${corrections + 1} replies that can't be used. The last: ${error} A stronger model, or another llm.response_format, may help.`,
    );
  }
  turn.post.withdraw(error);
  turn.post.sendTo(turn.alias);
  turn.post.write(error);
  turn.post.attach("invalid_response", text);
  turn.post.attach("revise_message", fillTemplate(turn.prompt.revise_message ?? "{ERROR}", { ERROR: error }));
}
