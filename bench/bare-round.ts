let held = Date.now();

/**
 * The calls of a worker round with nothing between them: two to the model, four batches to the database, five to the
 * session's object, of about the size that they have in a round. Less than this no round can take on this machine.
 */
export async function bareRound(env: Env & { OPENAI_BASE_URL?: string }): Promise<Response> {
  const object = env.SESSIONS.getByName("bare");
  const tell = () =>
    object.tellOutside({
      version: 1,
      facts: "[]",
      variables: JSON.stringify({ version: ++held, values: {} }),
    });
  const batch = (writes: number, reads: number) =>
    env.DB.batch([
      ...Array.from({ length: writes }, (_, place) =>
        env.DB.prepare("INSERT OR REPLACE INTO new_files VALUES ('bench', 'bare', ?, ?)").bind(place, ++held),
      ),
      ...Array.from({ length: reads }, () =>
        env.DB.prepare("SELECT * FROM rounds ORDER BY tenant, session_id, seq LIMIT 3"),
      ),
    ]);
  const ask = async () => {
    const response = await fetch(`${env.OPENAI_BASE_URL}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ messages: [{ role: "user", content: "From: User" }] }),
    });
    await response.text();
  };

  await tell();
  await batch(2, 6);
  await tell();
  await ask();
  for (let post = 0; post < 2; post++) {
    await batch(1, 1);
    await tell();
  }
  await ask();
  await batch(3, 1);
  await tell();
  return Response.json({});
}
