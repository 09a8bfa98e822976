import { env } from "cloudflare:workers";
import { sha256Hex } from "../../../src/lib/digest.ts";

/** Has the sandbox forget the memory of a session of Alice's, as if it had been restarted. */
export async function resetInterpreter(session: string): Promise<void> {
  const { SANDBOX_URL, SANDBOX_TOKEN } = env as unknown as Record<string, string>;
  const contextId = (await sha256Hex(JSON.stringify(["alice", session]))).slice(0, 40);
  const response = await fetch(`${SANDBOX_URL}/v1/contexts/${contextId}/reset`, {
    method: "POST",
    headers: { authorization: `Bearer ${SANDBOX_TOKEN}` },
  });
  if (!response.ok) throw new Error(await response.text());
}
