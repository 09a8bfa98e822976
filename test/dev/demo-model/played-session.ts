import OpenAI from "openai";
import { rulesOf } from "../../../src/verification/rules.ts";
import { verifyPython } from "../../../src/verification/verify-python.ts";
import type { Sandbox } from "./pyodide-cells.ts";

const rules = rulesOf({})!;

type Message = OpenAI.ChatCompletionMessageParam;

const OPENING = "[A new conversation starts here.]";

export interface Answer {
  stop: string;
  message: string;
  /** What the Planner asked of the CodeInterpreter. */
  instructions: string[];
  /** Every program that ran, failed ones too. */
  programs: { code: string; ok: boolean; output: string; error: string }[];
  files: string[];
  plan: string;
}

const PLANNER_EXAMPLE: Message[] = [
  {
    role: "user",
    content: `${OPENING}\nFrom: User\nMessage: files added: example.csv.\ncount the rows of example.csv`,
  },
  {
    role: "assistant",
    content: '{"response":{"stop":"InProcess","send_to":"CodeInterpreter","message":"Load the file"}}',
  },
  {
    role: "user",
    content:
      'From: CodeInterpreter\nMessage: I ran this code:\n```python\nx\n```\nIt succeeded.\nOutput:\nTable "example.csv": 3 rows, 1 columns\n- "colour": text',
  },
];

const schema = (name: string) => ({
  response_format: { type: "json_schema" as const, json_schema: { name, schema: { type: "object" } } },
});

/** Plays the server's part: the Planner's and the CodeInterpreter's prompts in the project's layout, code run for real. */
export function playedSession({
  url,
  sandbox,
  stream = false,
}: {
  url: string;
  sandbox: Sandbox;
  stream?: boolean;
}) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
  const planner: Message[] = [];
  const coder: Message[] = [];

  const complete = async (name: string, system: string, examples: Message[], messages: Message[]) => {
    const request = {
      model: "taskweaver-demo",
      messages: [{ role: "system" as const, content: system }, ...examples, ...messages],
      ...schema(name),
    };
    if (!stream) return (await client.chat.completions.create(request)).choices[0]?.message.content ?? "";
    let text = "";
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
      text += chunk.choices[0]?.delta.content ?? "";
    }
    return text;
  };
  const userTurn = (messages: Message[], content: string): Message => ({
    role: "user",
    content: messages.length === 0 ? `${OPENING}\n${content}` : content,
  });

  /** The CodeInterpreter: up to three programs for one instruction. */
  async function interpret(instruction: string, programs: Answer["programs"]): Promise<string> {
    let content = `## Plugins\nnone\n\nFrom: Planner\nMessage: ${instruction}`;
    for (let attempt = 1; ; attempt++) {
      coder.push(userTurn(coder, content));
      const text = await complete("code_response", "You write code.", [], coder);
      coder.push({ role: "assistant", content: text });
      const { reply_type, reply_content } = (JSON.parse(text) as { response: Record<string, string> })
        .response;
      if (reply_type === "text") return reply_content ?? "";
      const code = reply_content ?? "";
      const problems = verifyPython(code, rules);
      if (problems.length > 0)
        throw new Error(`This breaks the rules for code: ${JSON.stringify(problems)}\n${code}`);
      const before = new Set(sandbox.list());
      const outcome = sandbox.run(code);
      programs.push({ code, ...outcome });
      const files = sandbox.list().filter((name) => !before.has(name));
      if (outcome.ok || attempt === 3) {
        return [
          "I ran this code:",
          "```python",
          code,
          "```",
          outcome.ok ? "It succeeded." : "It failed.",
          ...(outcome.value ? [`Value: ${outcome.value}`] : []),
          ...(outcome.output ? ["Output:", outcome.output.trimEnd()] : []),
          ...(outcome.ok ? [] : ["Error:", outcome.error.trimEnd()]),
          ...(files.length > 0 ? [`Files: ${files.join(", ")}`] : []),
        ].join("\n");
      }
      content = `## Feedback\nVerification: CORRECT\nExecution: FAILURE\n${outcome.output}${outcome.error}\n\nFrom: Planner\nMessage: The code above failed. Please mend it and try again.`;
    }
  }

  return {
    async ask(question: string, files: Record<string, string> = {}): Promise<Answer> {
      const names = Object.keys(files);
      for (const name of names) sandbox.write(name, files[name] ?? "");
      const answer: Answer = { stop: "", message: "", instructions: [], programs: [], files: [], plan: "" };
      let content = `From: User\nMessage: ${names.length > 0 ? `files added: ${names.join(", ")}.\n` : ""}${question}`;
      for (let replies = 0; replies < 10; replies++) {
        planner.push(userTurn(planner, content));
        const text = await complete("planner_response", "You plan.", PLANNER_EXAMPLE, planner);
        planner.push({ role: "assistant", content: text });
        const reply = (JSON.parse(text) as { response: Record<string, string> }).response;
        for (const [key, value] of Object.entries(reply))
          if (typeof value !== "string") throw new TypeError(`${key} is no string`);
        if (reply.send_to === "User") {
          return {
            ...answer,
            stop: reply.stop ?? "",
            message: reply.message ?? "",
            plan: reply.plan ?? "",
            files: sandbox.list(),
          };
        }
        answer.instructions.push(reply.message ?? "");
        content = `From: CodeInterpreter\nMessage: ${await interpret(reply.message ?? "", answer.programs)}`;
      }
      throw new Error("ten replies and no answer");
    },
  };
}
