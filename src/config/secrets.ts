const SECRET_NAME = /(^|[._-])(api_?key|key|secret|password|passwd|token|connection_string)$/i;

/** Names that end like a secret's and hold none: what a model stops at, the name of an environment variable. */
const NOT_SECRET = /(^|\.)(stop_token)$|^webhooks\./i;

/** Whether a config key's value must never be written down where it could be read or committed. */
export function isSecretKey(key: string): boolean {
  return SECRET_NAME.test(key) && !NOT_SECRET.test(key);
}

/** The environment's name for a config key, as TaskWeaver has it: `llm.api_key` is `LLM_API_KEY`. */
export function environmentName(key: string): string {
  return key.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
}
