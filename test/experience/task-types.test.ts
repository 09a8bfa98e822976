import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createProject } from "../dev/content/project.ts";
import { launch } from "../support/launcher.ts";
import { startScriptedModel } from "../support/scripted-model.ts";

vi.setConfig({ testTimeout: 120_000 });

/** As the documents on experience selection have it, to the letter. */
const config = `{
  "planner.use_experience": true,
  "planner.experience_dir": "planner_exp_dir"
}`;

/** Finds the type by the task's number, and tells everybody. */
const taskTypeIdentifier = `import { defineRole } from "../role";

export const role = defineRole({
  name: "task_type_identifier",
  alias: "TaskTypeIdentifier",
  intro: "TaskTypeIdentifier tells the type of a task by its id.",
  async reply(turn) {
    const [, digit] = /T-(\\d)/.exec(turn.lastPost.message) ?? [];
    const type = digit === "9" ? "../outside" : "task_type_" + digit;
    turn.post.attach("signal", "_signal_exp_sub_path:" + type);
    turn.post.write("It is of " + type + ".");
  },
});
`;

const lesson = (id: string, text: string) => `exp_id: ${id}\nexperience_text: |-\n  ${text}\n`;
/** The steps of all types are nearly the same: nothing in a request or a step tells them apart. */
const files = Object.fromEntries(
  [1, 2, 3].flatMap((type) => [
    [
      `planner_exp_dir/task_type_${type}/handcrafted_exp_1.yaml`,
      lesson("1", `Step 1 collects, step 2 checks, step 3 reports to desk number ${type}.`),
    ],
    [
      `experience/task_type_${type}/handcrafted_exp_steps.yaml`,
      lesson("steps", `Step 2 checks the records by rule ${type}00.`),
    ],
  ]),
);

let model: Awaited<ReturnType<typeof startScriptedModel>>;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const planned = (sendTo: string, message: string) => ({
  plan_reasoning: "-",
  init_plan: "1. go",
  plan: "1. go",
  current_plan_step: "1. go",
  stop: sendTo === "User" ? "Completed" : "InProcess",
  send_to: sendTo,
  message,
});

interface Round {
  id: string;
  state: string;
  post_list: {
    send_from: string;
    attachment_list: { type: string }[];
    trace: {
      experience?: { sub_path: string; decided_by: string; lessons: { id: string }[]; warning?: string }[];
    };
  }[];
}

it("each type of task has its own lessons, though only a role knows which type it is", async () => {
  using project = createProject({
    "taskweaver_config.json": config,
    "roles/task-type-identifier/index.ts": taskTypeIdentifier,
    "planner_exp_dir/handcrafted_exp_base.yaml": lesson("base", "Ask for the type of a task before step 1."),
    ...files,
  });
  await using server = launch("start", {
    args: ["--project", project.path],
    env: { OPENAI_BASE_URL: `${model.url}/v1`, CODE_INTERPRETER_USE_EXPERIENCE: "true" },
  });
  const url = await server.ready();
  const headers = { "content-type": "application/json" };
  const post = async (path: string, body: unknown) =>
    (await (
      await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
    ).json()) as Round;
  const get = async (path: string) => (await (await fetch(url + path)).json()) as never;
  const { id: session } = await post("/v1/sessions", {
    roles: ["planner", "task_type_identifier", "code_interpreter"],
  });

  async function doTask(task: string) {
    const replies = [
      planned("TaskTypeIdentifier", `What type is task ${task}?`),
      planned("CodeInterpreter", "Please do step 2."),
      { thought: "-", reply_type: "text", reply_content: "done" },
      planned("User", "done"),
    ];
    const script = `task-${task}`;
    await fetch(`${model.url}/scripts/${script}`, {
      method: "PUT",
      body: JSON.stringify(replies.map((reply) => ({ text: JSON.stringify({ response: reply }) }))),
    });
    const { id, state } = await post(`/v1/sessions/${session}/messages`, {
      message: `${task} [script ${script}]`,
    });
    expect(state).toBe("finished");
    const requests = (await (await fetch(`${model.url}/scripts/${script}/requests`)).json()) as {
      messages: { content: string }[];
    }[];
    const round: Round = await get(`/v1/sessions/${session}/rounds/${id}?explain=1`);
    return {
      prompts: requests.map(({ messages }) => messages[0]!.content),
      posts: round.post_list,
      experience: round.post_list.flatMap(({ send_from, trace }) =>
        (trace.experience ?? []).map(({ sub_path, decided_by, lessons, warning }) =>
          [send_from, sub_path, decided_by, lessons.map(({ id: name }) => name).join(), warning]
            .filter(Boolean)
            .join(" "),
        ),
      ),
    };
  }

  // Nobody has said a type yet when the first task comes: the Planner has what lies in the base folder itself.
  const first = await doTask("T-101");
  expect(first.prompts[0]).toContain("Ask for the type of a task");
  expect(first.prompts[0]).not.toContain("desk number");
  expect(first.prompts[1]).toContain("desk number 1");
  expect(first.prompts[2]).toContain("by rule 100");
  expect(first.prompts.join()).not.toMatch(/desk number [23]|by rule [23]00/);
  expect(first.experience).toEqual([
    "Planner none planner_exp_dir/base",
    "Planner task_type_1 signal planner_exp_dir/task_type_1/1",
    "CodeInterpreter task_type_1 signal experience/task_type_1/steps",
    "Planner task_type_1 signal planner_exp_dir/task_type_1/1",
  ]);

  // The type of the session stays until another one is said, in the middle of a round.
  const second = await doTask("T-302");
  expect(second.prompts[0]).toContain("desk number 1");
  expect(second.prompts.slice(1).join()).toContain("desk number 3");
  expect(second.prompts[2]).toContain("by rule 300");
  expect(second.prompts.slice(1).join()).not.toMatch(/desk number [12]|by rule [12]00/);

  // A type that nobody has lessons for, and one that leads out of the folder: the round goes on without, and says so.
  const events = async () => {
    const response = await fetch(`${url}/v1/sessions/${session}/events`, {
      signal: AbortSignal.timeout(1500),
    });
    let text = "";
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
    } catch {
      return text;
    }
  };
  const unknown = await doTask("T-401");
  expect(unknown.prompts.slice(1).join()).not.toMatch(/desk number|by rule/);
  expect(unknown.experience.slice(1)).toEqual([
    "Planner task_type_4 signal sub_path_missing",
    "CodeInterpreter task_type_4 signal sub_path_missing",
    "Planner task_type_4 signal sub_path_missing",
  ]);
  const outside = await doTask("T-900");
  expect(outside.experience[1]).toBe("Planner ../outside signal sub_path_invalid");
  const warnings = (await events()).split("\n").filter((line) => /^data: .*"type":"warning"/.test(line));
  expect(warnings.join()).toMatch(/"code":"sub_path_missing".*task_type_4/);
  expect(warnings.join()).toMatch(/"code":"sub_path_invalid".*outside/);

  // What was shown is with the post for those who ask, and nowhere else.
  const plain: Round = await get(`/v1/sessions/${session}/rounds`);
  expect(JSON.stringify(plain)).not.toMatch(/"trace"|"lessons"/);
});
