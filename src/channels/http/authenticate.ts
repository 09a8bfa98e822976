import type { Caller } from "../../keys/key.ts";
import { idOfApiKey } from "../../keys/api-key.ts";
import { secretsEqual, sha256Hex } from "../../lib/digest.ts";
import type { Deployment } from "../channel.ts";
import { AccessTokenError, verifyAccessToken } from "./access-token.ts";
import { HttpProblem } from "./problem.ts";

const challenge = { headers: { "www-authenticate": "Bearer" } };

/**
 * Who speaks: by the key of the request, else by the token that Cloudflare Access has put on it. Whatever can't be
 * checked isn't let in. @throws HttpProblem 401, or 503 when the keys can't be read
 */
export async function authenticate(request: Request, deployment: Deployment): Promise<Caller> {
  const { config } = deployment;
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  const isMade = given !== undefined && idOfApiKey(given) !== undefined;
  // In open mode clients may send whatever key they have; one that was made here is taken for what it is.
  if (config.open && !isMade) return { tenant: "local", keyId: "open", scopes: ["admin"] };
  const accessToken = request.headers.get("cf-access-jwt-assertion");
  if (given === undefined && config.http.access && accessToken !== null) {
    refuseForeignPage(request, config.http.corsOrigins);
    return fromAccess(accessToken, config.http.access);
  }
  const found = (given === undefined ? undefined : await configuredKey(given, deployment)) ?? undefined;
  if (found) return found;
  const finding = isMade ? await reading(deployment.apiKeys.find(given)) : undefined;
  if (finding?.kind === "caller") return finding.caller;
  if (finding?.kind === "expired" || finding?.kind === "revoked") {
    throw new HttpProblem(401, `key_${finding.kind}`, `The API key has been ${finding.kind}.`, challenge);
  }
  const hasOthers = config.apiKeys.length > 0 || config.http.access !== undefined;
  if (!hasOthers && !(await reading(deployment.apiKeys.hasAny()))) {
    throw new HttpProblem(
      401,
      "no_api_keys",
      "This deployment has no API keys and refuses every request. Its owner makes them: npm run keys -- add NAME" +
        " --tenant TENANT --remote (or npx wrangler secret put API_KEYS).",
      challenge,
    );
  }
  throw new HttpProblem(
    401,
    "unauthorized",
    given === undefined ? "Send your API key: Authorization: Bearer <key>." : "The API key is not known.",
    challenge,
  );
}

/** All keys are looked at, so that the time doesn't tell which one came near. */
async function configuredKey(given: string, { config }: Deployment): Promise<Caller | undefined> {
  let caller: Caller | undefined;
  for (const { key, tenant } of config.apiKeys) {
    if (!(await secretsEqual(given, key))) continue;
    const digest = (await sha256Hex(key)).slice(0, 16);
    caller = { tenant: tenant ?? `key-${digest}`, keyId: `env-${digest.slice(0, 8)}`, scopes: ["admin"] };
  }
  return caller;
}

/** A browser shows Access who its user is, whatever page sends it: only pages that may call are listened to. */
function refuseForeignPage(request: Request, corsOrigins: string[]): void {
  const origin = request.headers.get("origin");
  if (origin === null || origin === new URL(request.url).origin || corsOrigins.includes(origin)) return;
  throw new HttpProblem(
    403,
    "foreign_page",
    `Pages of ${origin.slice(0, 100)} may not call here. The deployment's owner can allow it: http.cors_origins.`,
  );
}

async function fromAccess(token: string, access: { teamDomain: string; audience: string }): Promise<Caller> {
  try {
    const { identity } = await verifyAccessToken(token, access);
    // No tenant of API_KEYS has a colon, nor has one of the keys that were made.
    return { tenant: `access:${identity}`, keyId: `access:${identity}`, scopes: ["admin"] };
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    if (error.code === "access_unreachable") throw new HttpProblem(503, error.code, error.message);
    throw new HttpProblem(401, "unauthorized", error.message, challenge);
  }
}

async function reading<Value>(found: Promise<Value>): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    console.error("The API keys can't be read.", error);
    throw new HttpProblem(503, "keys_unreachable", "The API keys can't be read just now. Try again.", {
      headers: { "retry-after": "5" },
    });
  }
}
