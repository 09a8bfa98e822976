import { HttpProblem } from "./problem.ts";

/** A link is for a file of one session, for reading it. */
const LINKABLE = /^\/v1\/sessions\/[^/]+\/(files|artifacts)\/[^/]+$/;

/**
 * A link to a file that works without a key until it expires: for a page's picture, for a chat that can't send headers.
 * The signature covers the tenant, the path and the time.
 */
export async function signLink(options: {
  secret: string;
  tenant: string;
  path: string;
  expires: number;
}): Promise<string> {
  const { secret, tenant, path, expires } = options;
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret), signed(options));
  const query = new URLSearchParams({
    tenant,
    expires: String(expires),
    signature: toText(new Uint8Array(signature)),
  });
  return `${path}?${query.toString()}`;
}

/** The tenant whose file a signed link opens; undefined when the request is none. @throws HttpProblem 403 */
export async function verifyLink(request: Request, secret: string | undefined): Promise<string | undefined> {
  const { pathname: path, searchParams } = new URL(request.url);
  const given = searchParams.get("signature");
  if (given === null) return undefined;
  const refuse = (detail: string) => new HttpProblem(403, "invalid_link", detail);
  const expires = Number(searchParams.get("expires"));
  const tenant = searchParams.get("tenant") ?? "";
  if (secret === undefined || !LINKABLE.test(path) || !["GET", "HEAD"].includes(request.method)) {
    throw refuse("A signed link opens a file or an artifact, and this deployment must have a LINK_SECRET.");
  }
  const signature = fromText(given);
  const isRight =
    signature !== undefined &&
    (await crypto.subtle.verify("HMAC", await keyOf(secret), signature, signed({ tenant, path, expires })));
  if (!isRight) throw refuse("The link's signature is not right. Ask for a new one.");
  if (expires * 1000 < Date.now()) throw refuse("The link has expired. Ask for a new one.");
  return tenant;
}

const signed = ({ tenant, path, expires }: { tenant: string; path: string; expires: number }) =>
  new TextEncoder().encode(JSON.stringify([tenant, path, expires]));

const keyOf = (secret: string) =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

const toText = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

function fromText(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    // A SyntaxError: no signature of ours.
    return undefined;
  }
}
