import OpenAI, { type APIError } from "openai";
import { describe, expect, it } from "vitest";
import { call, planned, python, scriptModel } from "../../support/workers/api.ts";
import { resetInterpreter } from "../../support/workers/sandbox.ts";

const client = (apiKey = "key-of-alice") =>
  new OpenAI({
    apiKey,
    baseURL: "https://taskweaver.test/v1",
    maxRetries: 2,
    fetch: (input, init) => {
      const url = new URL(String(input));
      return call(url.pathname + url.search, { ...(init as RequestInit), key: null });
    },
  });
const model = "taskweaver";
const user = (content: string) => ({ role: "user" as const, content });

describe("OpenAI's client", () => {
  it("lists the agents as models", async () => {
    const { data } = await client().models.list();
    expect(data.map(({ id }) => id)).toEqual(["taskweaver"]);
    expect((await client().models.retrieve("taskweaver")).object).toBe("model");
  });

  it("gets an answer that was worked out by all roles, with what it cost", async () => {
    const { mention } = await scriptModel([
      planned("CodeInterpreter", "Multiply 6 by 7."),
      python("6 * 7"),
      planned("User", "It is 42."),
    ]);
    const { data, response } = await client()
      .chat.completions.create({ model, messages: [user(`what is 6 times 7? ${mention}`)] })
      .withResponse();
    expect(data.choices[0]!.message).toMatchObject({ role: "assistant", content: "It is 42." });
    expect(data.choices[0]!.finish_reason).toBe("stop");
    expect(data.usage).toEqual({ prompt_tokens: 300, completion_tokens: 30, total_tokens: 330 });
    const session = response.headers.get("x-session-id")!;
    const rounds = (await (await call(`/v1/sessions/${session}/rounds`)).json()) as { data: unknown[] };
    expect(rounds.data).toHaveLength(1);
  });

  it("streams only what goes to the User, and the plan beside it when asked", async () => {
    for (const withReasoning of [false, true]) {
      const { mention } = await scriptModel([
        planned("CodeInterpreter", "Say hi."),
        { thought: "Just words.", reply_type: "text", reply_content: "hi" },
        planned("User", "They said hi."),
      ]);
      const stream = await client().chat.completions.create({
        model,
        stream: true,
        stream_options: { include_usage: true },
        messages: [user(`greet ${mention}`)],
        ...({ include_reasoning: withReasoning } as object),
      });
      let content = "";
      let reasoning = "";
      let pieces = 0;
      let finish: string | null = null;
      let total = 0;
      for await (const chunk of stream) {
        const choice = chunk.choices[0];
        content += choice?.delta.content ?? "";
        reasoning += (choice?.delta as { reasoning_content?: string } | undefined)?.reasoning_content ?? "";
        if (choice?.delta.content) pieces += 1;
        finish = choice?.finish_reason ?? finish;
        total = chunk.usage?.total_tokens ?? total;
      }
      expect(content).toBe("They said hi.");
      expect(pieces).toBeGreaterThan(1);
      expect(finish).toBe("stop");
      expect(total).toBe(330);
      expect(reasoning).toMatch(withReasoning ? /1\. do it[\s\S]*Just words\./ : /^$/);
    }
  });

  it("goes on in the same session, whether it names it or sends the whole conversation", async () => {
    const first = await scriptModel([
      planned("CodeInterpreter", "Set x."),
      python("x = 20"),
      planned("User", "Set."),
    ]);
    const opening = [{ role: "system" as const, content: "Be brief." }, user(`set x to 20 ${first.mention}`)];
    const answered = await client().chat.completions.create({ model, messages: opening }).withResponse();
    expect(JSON.stringify((await first.requests())[0])).toContain("Be brief.");
    const session = answered.response.headers.get("x-session-id")!;

    const second = await scriptModel([
      planned("CodeInterpreter", "Add 1."),
      python("x + 1"),
      planned("User", "21"),
    ]);
    const next = [...opening, answered.data.choices[0]!.message, user(`add one ${second.mention}`)];
    const again = await client().chat.completions.create({ model, messages: next }).withResponse();
    expect(again.response.headers.get("x-session-id")).toBe(session);
    expect(again.data.choices[0]!.message.content).toBe("21");

    const third = await scriptModel([planned("User", "Yes, x.")]);
    const named = await client()
      .chat.completions.create({
        model,
        messages: [user(`remember? ${third.mention}`)],
        metadata: { session_id: session },
      })
      .withResponse();
    expect(named.response.headers.get("x-session-id")).toBe(session);
    expect(JSON.stringify((await third.requests())[0])).toContain("set x to 20");
  });

  it("takes in a conversation that it has not held, and one that was changed", async () => {
    const { mention, requests } = await scriptModel([planned("User", "Paris, as I said.")]);
    const messages = [
      user("What is the capital of France?"),
      { role: "assistant" as const, content: "Paris." },
      user(`Say it again. ${mention}`),
    ];
    const { data, response } = await client().chat.completions.create({ model, messages }).withResponse();
    expect(data.choices[0]!.message.content).toBe("Paris, as I said.");
    const prompt = JSON.stringify((await requests())[0]!.messages);
    expect(prompt).toContain("What is the capital of France?");
    expect(prompt).toContain("Paris.");
    // Somebody with the same words goes on from the same place, not in the same session as one who went on already.
    const other = await scriptModel([planned("User", "Paris.")]);
    const changed = [...messages.slice(0, 2), user(`And again. ${other.mention}`)];
    const second = await client().chat.completions.create({ model, messages: changed }).withResponse();
    expect(second.response.headers.get("x-session-id")).not.toBe(response.headers.get("x-session-id"));
  });

  it("sends files and images as parts, and the code finds them", async () => {
    const { mention, requests } = await scriptModel([
      planned("CodeInterpreter", "Count."),
      python("import os\nsorted(os.listdir('.')), open('notes.txt').read()"),
      planned("User", "Counted."),
    ]);
    const { response } = await client()
      .chat.completions.create({
        model,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: `look ${mention}` },
              {
                type: "file",
                file: { filename: "notes.txt", file_data: `data:text/plain;base64,${btoa("hello")}` },
              },
              { type: "image_url", image_url: { url: `data:image/png;base64,${btoa("not really")}` } },
            ],
          },
        ],
      })
      .withResponse();
    const session = response.headers.get("x-session-id")!;
    const list = (await (await call(`/v1/sessions/${session}/rounds`)).json()) as {
      data: { user_query: string; post_list: { message: string }[] }[];
    };
    expect(list.data[0]!.user_query).toContain("files added: notes.txt, image-3.png.");
    expect(list.data[0]!.post_list[2]!.message).toContain("(['image-3.png', 'notes.txt'], 'hello')");
    expect((await requests()).length).toBe(3);
    await resetInterpreter(session);
  });

  it("is told what went wrong in its own form, and doesn't send a failed round again", async () => {
    const failing = async (request: Promise<unknown>) =>
      (await request.catch((error: unknown) => error)) as APIError;
    const create = (body: object, key?: string) => client(key).chat.completions.create(body as never);
    const messages = [user("hi")];
    expect(await failing(create({ model, messages }, "nobody"))).toMatchObject({
      status: 401,
      code: "unauthorized",
    });
    expect(await failing(create({ model: "gpt-9", messages }))).toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    expect(await failing(create({ model, messages: [] }))).toMatchObject({ status: 400, param: "messages" });
    expect(await failing(create({ model, messages, n: 3 }))).toMatchObject({ status: 400, param: "n" });
    const answer = { role: "assistant", content: "x" };
    expect(await failing(create({ model, messages: [answer] }))).toMatchObject({ code: "invalid_messages" });
    const { mention, requests } = await scriptModel([{ status: 401 }]);
    expect(await failing(create({ model, messages: [user(mention)] }))).toMatchObject({
      status: 422,
      code: "model_rejected",
    });
    expect(await requests()).toHaveLength(1);
    const streamed = await scriptModel([{ status: 401 }]);
    const stream = await client().chat.completions.create({
      model,
      stream: true,
      messages: [user(streamed.mention)],
    });
    await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: "model_rejected" });
  });

  it("keeps tenants apart: the same words are another's conversation", async () => {
    const one = await scriptModel([planned("User", "Noted.")]);
    const opening = [user(`my secret is 7 ${one.mention}`)];
    const mine = await client().chat.completions.create({ model, messages: opening }).withResponse();
    const two = await scriptModel([planned("User", "I don't know you.")]);
    const theirs = await client("key-of-bob")
      .chat.completions.create({
        model,
        messages: [...opening, mine.data.choices[0]!.message, user(`what is it? ${two.mention}`)],
        metadata: { session_id: mine.response.headers.get("x-session-id")! },
      })
      .withResponse();
    expect(theirs.data.choices[0]!.message.content).toBe("I don't know you.");
    expect(JSON.stringify(await two.requests())).not.toContain("my secret");
  });
});
