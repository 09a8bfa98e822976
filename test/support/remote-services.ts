import type { TestProject } from "vitest/node";
import { startScriptedModel } from "./scripted-model.ts";
import { startSandboxServer } from "./sandbox-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    modelUrl: string;
    sandboxUrl: string;
    sandboxToken: string;
  }
}

/** What a Worker reaches over the network: a scripted model and the real sandbox server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [model, sandbox] = await Promise.all([startScriptedModel(), startSandboxServer()]);
  project.provide("modelUrl", model.url);
  project.provide("sandboxUrl", sandbox.url);
  project.provide("sandboxToken", sandbox.token);
  return async () => {
    await Promise.all([model.close(), sandbox.stop()]);
  };
}
