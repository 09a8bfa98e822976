import type { Config } from "../../config.ts";
import { secretsEqual, sha256Hex } from "../../lib/digest.ts";
import { HttpProblem } from "./problem.ts";

/** The tenant that a request speaks for. @throws HttpProblem 401: without keys nobody is let in. */
export async function authenticate(request: Request, config: Config): Promise<string> {
  if (config.open) return "local";
  const challenge = { headers: { "www-authenticate": "Bearer" } };
  if (config.apiKeys.length === 0) {
    throw new HttpProblem(
      401,
      "no_api_keys",
      "This deployment has no API keys and refuses every request. Its owner sets them: npx wrangler secret put API_KEYS.",
      challenge,
    );
  }
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (given === undefined) {
    throw new HttpProblem(401, "unauthorized", "Send your API key: Authorization: Bearer <key>.", challenge);
  }
  let tenant: string | undefined;
  // All keys are looked at, so that the time doesn't tell which one came near.
  for (const entry of config.apiKeys) {
    if (await secretsEqual(given, entry.key)) {
      tenant = entry.tenant ?? `key-${(await sha256Hex(entry.key)).slice(0, 16)}`;
    }
  }
  if (tenant === undefined)
    throw new HttpProblem(401, "unauthorized", "The API key is not known.", challenge);
  return tenant;
}
