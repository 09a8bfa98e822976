import { isSecretKey } from "../../src/config/secrets.ts";

/** A secret of a deployment: what it is for, and what is refused without it. */
export const deploymentSecrets = [
  {
    name: "API_KEYS",
    purpose: "who may call: comma separated, key or tenant:key",
    without: "every request is refused",
  },
  { name: "OPENAI_API_KEY", purpose: "the key of the model service", without: "every round fails" },
  {
    name: "SANDBOX_URL",
    purpose: "where code runs, unless a binding SANDBOX leads there",
    without: "code is refused, the rest works",
  },
  { name: "SANDBOX_TOKEN", purpose: "the token of the sandbox", without: "code is refused, the rest works" },
] as const;

export function putLine(name: string): string {
  return `npx wrangler secret put ${name}`;
}

/** Why this project must not be deployed as it is, with what to do; empty when it may. */
export function objections(options: {
  /** Secrets found in the project's files, by their environment name. */
  secrets: Record<string, string>;
  /** The project's config. */
  config: Record<string, unknown>;
  /** `vars` of wrangler.toml. */
  variables: Record<string, unknown>;
}): string[] {
  const found: string[] = [];
  const names = Object.keys(options.secrets);
  if (names.length > 0) {
    found.push(
      [
        "The project's files hold secrets, which would not reach the deployment. Hand them over and take them out:",
        ...names.map((name) => `  ${putLine(name)}`),
      ].join("\n"),
    );
  }
  if (options.config["llm.use_mock"] === true) {
    found.push(
      "taskweaver_config.json sets llm.use_mock. A tape is for npm start alone, a deployment asks real models: take it out, and set LLM_USE_MOCK=true where you test.",
    );
  }
  for (const name of Object.keys(options.variables)) {
    if (name === "OPEN_MODE") {
      found.push(
        "wrangler.toml sets OPEN_MODE, which lets everybody in. It is for npm start alone: take it out.",
      );
    } else if (name === "API_KEYS" || isSecretKey(name)) {
      found.push(`wrangler.toml holds ${name} in plain text. Take it out, and: ${putLine(name)}`);
    }
  }
  return found;
}

/**
 * The steps of a deployment. Migrations go first, so that new code finds its tables; only the very first time, when
 * there is no database before the Worker has been deployed, they go last.
 */
export function deploymentSteps(options: { databaseExists: boolean }): string[][] {
  const deploy = ["deploy"];
  const migrate = ["d1", "migrations", "apply", "DB", "--remote"];
  return options.databaseExists ? [migrate, deploy] : [deploy, migrate];
}

/** What still has to be set for the deployment to do all that it can. */
export function missingSecrets(present: string[]): string[] {
  return deploymentSecrets
    .filter(({ name }) => !present.includes(name))
    .map(({ name, purpose, without }) => `  ${putLine(name)}\n      ${purpose}; without it ${without}`);
}
