import * as z from "zod";

/** The token is none of this team's for this application, or nobody can tell. */
export class AccessTokenError extends Error {
  readonly code: "access_denied" | "access_unreachable";
  constructor(code: AccessTokenError["code"], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

const header = z.object({ alg: z.literal("RS256"), kid: z.string() });
const claims = z.object({
  aud: z.union([z.string(), z.array(z.string())]),
  iss: z.string(),
  exp: z.number(),
  nbf: z.number().optional(),
  email: z.string().optional(),
  common_name: z.string().optional(),
});
const certs = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.literal("RSA") })) });

type KnownKeys = { keys: Map<string, CryptoKey>; at: number };
/** Of each team: kept by the isolate, and read again when a token names one that isn't among them. */
const known = new Map<string, KnownKeys>();
const KEEP_MS = 3600_000;
const ASK_AGAIN_MS = 30_000;
const LEEWAY_SECONDS = 30;
const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** Who Cloudflare Access says is calling: a person's address or a service's name. @throws AccessTokenError */
export async function verifyAccessToken(
  token: string,
  { teamDomain, audience }: { teamDomain: string; audience: string },
): Promise<{ identity: string }> {
  const deny = (why: string) =>
    new AccessTokenError("access_denied", `The token of Cloudflare Access ${why}.`);
  const issuer = teamDomain.includes("://") ? teamDomain.replace(/\/+$/, "") : `https://${teamDomain}`;
  const parts = token.split(".");
  const head = header.safeParse(readPart(parts[0]));
  const body = claims.safeParse(readPart(parts[1]));
  const signature = bytesOf(parts[2]);
  if (parts.length !== 3 || !head.success || !body.success || !signature) throw deny("can't be read");
  const key = await findKey(issuer, head.data.kid);
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  if (!key || !(await crypto.subtle.verify(RS256.name, key, signature, signed))) {
    throw deny("is not signed by this team");
  }
  const { aud, iss, exp, nbf, email, common_name: service } = body.data;
  const now = Date.now() / 1000;
  if (iss !== issuer || ![aud].flat().includes(audience)) throw deny("is for another application");
  if (exp + LEEWAY_SECONDS < now || (nbf ?? 0) - LEEWAY_SECONDS > now)
    throw deny("has expired, or isn't valid yet");
  const identity = email ?? service;
  if (!identity) throw deny("names nobody");
  return { identity: identity.toLowerCase() };
}

async function findKey(issuer: string, kid: string): Promise<CryptoKey | undefined> {
  const cached = known.get(issuer);
  const age = cached ? Date.now() - cached.at : Infinity;
  if (cached && (cached.keys.has(kid) ? age < KEEP_MS : age < ASK_AGAIN_MS)) return cached.keys.get(kid);
  const keys = await readKeys(issuer);
  known.set(issuer, { keys, at: Date.now() });
  return keys.get(kid);
}

async function readKeys(issuer: string): Promise<Map<string, CryptoKey>> {
  try {
    const response = await fetch(`${issuer}/cdn-cgi/access/certs`, { signal: AbortSignal.timeout(5000) });
    if (!response.ok) throw new Error(`It answers ${response.status}.`);
    const { keys } = certs.parse(await response.json());
    const imported = keys.map(
      async (key) =>
        [key.kid, await crypto.subtle.importKey("jwk", key as JsonWebKey, RS256, false, ["verify"])] as const,
    );
    return new Map(await Promise.all(imported));
  } catch (error) {
    throw new AccessTokenError(
      "access_unreachable",
      `The keys of Cloudflare Access can't be read from ${issuer} (ACCESS_TEAM_DOMAIN).`,
      { cause: error },
    );
  }
}

function readPart(part = ""): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(part)));
  } catch {
    // No JSON: no token.
    return undefined;
  }
}

function bytesOf(part = ""): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(part, { alphabet: "base64url" });
  } catch {
    // A SyntaxError: no token.
    return undefined;
  }
}
