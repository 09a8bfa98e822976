import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const migrations = await readD1Migrations("migrations");

export default defineConfig({
  test: {
    // Most of the time goes into waiting for processes: two files at once pay also on two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workers.test.ts"],
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
          include: ["test/**/*.workers.test.ts"],
          globalSetup: ["test/support/remote-services.ts"],
          setupFiles: ["test/support/workers/apply-migrations.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
