import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { deploymentOf } from "../../../src/app.ts";
import type { Deployment } from "../../../src/channels/channel.ts";
import { createHttp } from "../../../src/channels/http/http.ts";
import type { Config } from "../../../src/config.ts";

/** The API of a deployment that is set up otherwise. */
export function apiWith(
  change: Partial<Config["http"]>,
  more: Partial<Deployment> = {},
  config: Partial<Config> = {},
) {
  const deployment = deploymentOf(env);
  const http = createHttp(() => ({
    ...deployment,
    ...more,
    config: { ...deployment.config, ...config, http: { ...deployment.config.http, ...change } },
  }));
  return (path: string, init: RequestInit & { json?: unknown } = {}) => {
    const { json, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (json !== undefined) headers.set("content-type", "application/json");
    const body = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
    return http.request(path, { ...rest, headers, ...body }, env, createExecutionContext());
  };
}
