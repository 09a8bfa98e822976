import type { TestProject } from "vitest/node";
import "./workers/provided-context.ts";
import { jupyterMissing, startJupyter } from "./jupyter-server.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { whyNoCPython } from "./cpython-jail.ts";
import { startSandboxServer } from "./sandbox-server.ts";

/** What a Worker reaches over the network: a scripted model and the real sandbox server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [model, sandbox, cpython, jupyter] = await Promise.all([
    startScriptedModel(),
    startSandboxServer(),
    whyNoCPython() === undefined ? startSandboxServer("cpython") : undefined,
    jupyterMissing() === undefined ? startJupyter() : undefined,
  ]);
  project.provide("modelUrl", model.url);
  project.provide("sandboxUrl", sandbox.url);
  project.provide("sandboxToken", sandbox.token);
  project.provide("cpythonUrl", cpython?.url);
  project.provide("jupyter", jupyter && { url: jupyter.url, token: jupyter.token });
  return async () => {
    await Promise.all([model.close(), sandbox.stop(), cpython?.stop(), jupyter?.stop()]);
  };
}
