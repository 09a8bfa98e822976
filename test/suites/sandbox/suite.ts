import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { OpenOptions, TestContext } from "./test-context.ts";

/** What the parts of the suite share. */
export interface SandboxSuite {
  /** A driver that knows nothing of earlier ones, as in another isolate. */
  create(): Sandbox;
  /** The one that most tests use; there once they run, like the context. */
  sandbox: Sandbox;
  context: TestContext;
  /** A context that is closed in the end. */
  openContext(options?: OpenOptions): Promise<TestContext>;
  /** A test that a driver may be excused from. */
  test(title: string, expectation: () => Promise<void>): void;
}
