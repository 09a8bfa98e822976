/** What looks like a secret: keys of services, tokens, private keys, and what is called a password. */
const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\btwe_[0-9a-f]{12}_[0-9a-f]{48}/g,
  /\b(ghp|gho|ghs|ghu|xox[abprs]|glpat)[-_][A-Za-z0-9_-]{10,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];
const BEARER = /\b(bearer|basic)(\s+)[\w.~+/=-]{8,}/gi;
const NAMED = /((?:password|passwd|secret|token|api[_-]?key)\\?["']?\s*[:=]\s*\\?["']?)[^\s"'\\,;]{4,}/gi;

const MARK = "[redacted]";

/** A text without what looks like a secret in it, and without those that are known. */
export function redact(text: string, known: string[] = []): string {
  const withoutKnown = known
    .filter((secret) => secret.length >= 6)
    .reduce((rest, secret) => rest.replaceAll(secret, MARK), text);
  return SECRETS.reduce((rest, secret) => rest.replaceAll(secret, MARK), withoutKnown)
    .replaceAll(BEARER, `$1$2${MARK}`)
    .replaceAll(NAMED, `$1${MARK}`);
}
