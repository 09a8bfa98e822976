import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** Whole processes started and killed, limits waited for: `TESTS=slow` runs these, `TESTS=all` everything. CI does both. */
const slowInNode = [
  "test/crash/*.test.ts",
  "test/dev/{adding-a-role,keys,smoke,start,test-plugins}.test.ts",
  "test/dev/model-tape/start.test.ts",
  "test/experience/{project-knowledge,task-types}.test.ts",
  "test/sandbox/*.test.ts",
  "test/sandbox-server/{calls,cells,disk,escape-*,executions,files,lifecycle,many-contexts,packages,process,restart}.test.ts",
];
const slowInWorkers = ["test/sandbox/*.workers.test.ts"];
const tests = process.env.TESTS ?? "quick";

/** Starting and stopping the server is among the quick ones as well. */
function choose(all: string[], slow: string[], never: string[] = []) {
  if (tests === "slow") return { include: slow, exclude: never };
  const slowOnes = slow.flatMap((pattern) =>
    pattern.includes("start,") ? [pattern.replace("start,", "")] : [pattern],
  );
  return { include: all, exclude: tests === "all" ? never : [...never, ...slowOnes] };
}

const migrations = await readD1Migrations("migrations");

export default defineConfig({
  test: {
    // Most of the time goes into waiting for processes: two files at once pay also on two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "node",
          ...choose(["test/**/*.test.ts"], slowInNode, ["test/**/*.workers.test.ts"]),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              // What the shipped edge plugin reads.
              d1Databases: { EDGE_DB: "edge-database" },
              bindings: {
                TEST_MIGRATIONS: migrations,
                API_KEYS: "alice:key-of-alice,bob:key-of-bob",
                OPENAI_API_KEY: "key-of-the-model",
                OPENAI_BASE_URL: `${inject("modelUrl")}/v1`,
                OPENAI_MODEL: "scripted",
                FUZZ_RUNS: process.env.FUZZ_RUNS ?? "12",
                LOG_REQUESTS: "false",
                LINK_SECRET: "secret-of-the-links",
                SANDBOX_URL: inject("sandboxUrl"),
                SANDBOX_TOKEN: inject("sandboxToken"),
              },
            },
          })),
        ],
        test: {
          name: "workers",
          ...choose(["test/**/*.workers.test.ts"], slowInWorkers),
          globalSetup: ["test/support/remote-services.ts"],
          setupFiles: ["test/support/workers/apply-migrations.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
