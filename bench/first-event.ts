import type { Client } from "./client.ts";
import { measure, type Row } from "./measure.ts";

/** From the model's first piece of text to the first of it that the client reads, over the event stream. */
export async function firstEvent(client: Client, modelUrl: string, samples: number): Promise<Row> {
  const session = await client.newSession(["planner"]);
  const taken: number[] = [];
  const row = await measure(client, "first token to first event", samples, async () => {
    const response = await client.stream(session, "add");
    const read = response.body!.pipeThrough(new TextDecoderStream());
    let arrived = 0;
    for await (const piece of read) {
      if (arrived === 0 && piece.includes("event: post_attachment"))
        arrived = performance.timeOrigin + performance.now();
    }
    const sent = (await (await fetch(`${modelUrl}/first-token`)).json()) as number;
    taken.push(arrived - sent);
  });
  const sorted = taken.toSorted((left, right) => left - right);
  const median = sorted[Math.floor(sorted.length / 2)]!;
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))]!;
  return {
    ...row,
    median,
    p95,
    net: median,
    ratio: median / (row.median / row.ratio),
    note: "of the way there",
  };
}
