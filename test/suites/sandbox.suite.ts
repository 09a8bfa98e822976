import { afterAll, beforeAll, describe, it } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { testCells } from "./sandbox/cells.ts";
import { testFiles } from "./sandbox/files.ts";
import { testMemory } from "./sandbox/memory.ts";
import { testPlugins } from "./sandbox/plugins.ts";
import type { SandboxSuite } from "./sandbox/suite.ts";
import { createTestContext, type OpenOptions, type TestContext } from "./sandbox/test-context.ts";

/** What every place where Python runs must do, whatever driver speaks with it. `create` gives a driver that knows
 *  nothing of earlier ones, as in another isolate. A test that is skipped is named by its title, with the reason. */
export function testSandbox(
  driver: string,
  create: () => Sandbox,
  { skip = [] }: { skip?: { reason: string; tests: string[] }[] } = {},
): void {
  describe(`a sandbox: ${driver}`, () => {
    const opened: TestContext[] = [];
    let count = 0;

    const suite: SandboxSuite = {
      create,
      sandbox: undefined!,
      context: undefined!,
      async openContext(options: OpenOptions = {}) {
        const made = await createTestContext(suite.sandbox, `suite-${Date.now()}-${++count}`, options);
        opened.push(made);
        return made;
      },
      test(title, expectation) {
        const reason = skip.find(({ tests }) => tests.includes(title))?.reason;
        it(`${title}`, async ({ skip: skipTest }) => {
          skipTest(reason !== undefined, reason);
          await expectation();
        });
      },
    };

    beforeAll(async () => {
      suite.sandbox = create();
      suite.context = await suite.openContext();
    });
    afterAll(async () => {
      for (const { id } of opened) await suite.sandbox.close(id);
    });

    testCells(suite);
    testMemory(suite);
    testFiles(suite);
    testPlugins(suite);
  });
}
