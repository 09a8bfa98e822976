export interface Receipt {
  model_calls: number;
  prompt_tokens: number;
  total_ms: number;
  d1: { round_trips: number; rows_read: number; rows_written: number };
  session_calls: number;
}

interface WireRound {
  state: string;
  error?: { message: string } | null;
  usage: Receipt;
}

/** Calls the Worker as one who waits for JSON. */
export function createClient(base: string) {
  async function call(path: string, init: { json?: unknown; headers?: Record<string, string> } = {}) {
    const response = await fetch(base + path, {
      method: init.json === undefined ? "GET" : "POST",
      headers: { authorization: "Bearer key", "content-type": "application/json", ...init.headers },
      ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body.slice(0, 500)}`);
    return JSON.parse(body) as unknown;
  }

  return {
    call,
    /** Milliseconds from the model's stamp to its arrival in an event. */
    async delayOfStamp(session: string): Promise<number> {
      const response = await fetch(`${base}/v1/sessions/${session}/messages`, {
        method: "POST",
        headers: {
          authorization: "Bearer key",
          "content-type": "application/json",
          accept: "text/event-stream",
        },
        body: JSON.stringify({ message: "[stamp]" }),
      });
      let delay: number | undefined;
      let text = "";
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const [, stamp] = /stamp ([\d.]+) /.exec(text) ?? [];
        if (stamp !== undefined) delay ??= performance.timeOrigin + performance.now() - Number(stamp);
      }
      if (delay === undefined) throw new Error(`No stamp came: ${text.slice(0, 500)}`);
      return delay;
    },
    async newSession(roles: string[]): Promise<string> {
      return ((await call("/v1/sessions", { json: { roles } })) as { id: string }).id;
    },
    /** A round that has to finish. */
    async send(session: string, message: string, headers: Record<string, string> = {}): Promise<Receipt> {
      const path = `/v1/sessions/${session}/messages`;
      const round = (await call(path, { json: { message }, headers })) as WireRound;
      if (round.state !== "finished") throw new Error(`A round failed: ${round.error?.message}`);
      return round.usage;
    },
  };
}

export type Client = ReturnType<typeof createClient>;
