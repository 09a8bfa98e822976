import { describe, expect, it } from "vitest";
import { deploymentSteps, missingSecrets, objections } from "../../dev/deploy/plan.ts";

describe("a deployment", () => {
  it("is refused with secrets in the project's files, and told how to hand them over", () => {
    const [objection] = objections({
      config: {},
      secrets: { LLM_API_KEY: "sk-1", PLUGIN_SHOP_API_KEY: "k" },
      variables: {},
    });
    expect(objection).toContain(
      "npx wrangler secret put LLM_API_KEY\n  npx wrangler secret put PLUGIN_SHOP_API_KEY",
    );
    expect(objection).not.toContain("sk-1");
  });

  it("is refused in open mode, or with keys in plain text", () => {
    const found = objections({
      secrets: {},
      config: {},
      variables: { OPEN_MODE: "1", API_KEYS: "k", OPENAI_MODEL: "m" },
    });
    expect(found).toHaveLength(2);
    expect(found.join("\n")).toMatch(/OPEN_MODE[\s\S]*npx wrangler secret put API_KEYS/);
  });

  it("is refused with a tape in the place of its models", () => {
    const [objection] = objections({ secrets: {}, config: { "llm.use_mock": true }, variables: {} });
    expect(objection).toContain("llm.use_mock");
  });

  it("has nothing against a project without secrets", () => {
    expect(objections({ secrets: {}, config: {}, variables: { OPENAI_MODEL: "m" } })).toEqual([]);
  });

  it("brings the database up to date first, except when the first deployment makes it", () => {
    const names = (databaseExists: boolean) => deploymentSteps({ databaseExists }).map(([first]) => first);
    expect(names(true)).toEqual(["d1", "deploy"]);
    expect(names(false)).toEqual(["deploy", "d1"]);
  });

  it("says which secrets are missing, and what is refused without them", () => {
    const missing = missingSecrets(["OPENAI_API_KEY", "SANDBOX_TOKEN"]);
    expect(missing).toHaveLength(2);
    expect(missing[0]).toMatch(/npx wrangler secret put API_KEYS\n.*every request is refused/);
    expect(missing[1]).toMatch(/npx wrangler secret put SANDBOX_URL\n.*code is refused/);
  });
});
