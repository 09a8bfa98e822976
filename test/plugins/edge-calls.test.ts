import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createEdgeCaller } from "../../src/plugins/edge-calls.ts";
import { defineEdgePlugin, type EdgePlugin } from "../../src/plugins/edge-plugin.ts";
import { pluginSpec } from "../../src/plugins/plugin.ts";

const parameter = (name: string, required = false) => ({ name, type: "str", description: "", required });

/** A caller of one plugin, `weather`, whose YAML has these parameters. */
function caller(
  plugin: EdgePlugin,
  options: { env?: object; configurations?: Record<string, unknown> } = {},
) {
  const spec = pluginSpec.parse({
    name: "weather",
    description: "Weather",
    parameters: [parameter("city", true), parameter("days")],
    configurations: options.configurations ?? { unit: "C" },
  });
  const call = createEdgeCaller({
    plugins: [{ spec, source: "", hash: "", secretKeys: [], edge: true }],
    edgePlugins: { weather: plugin },
    env: options.env ?? {},
  });
  return (args: unknown[], kwargs: Record<string, unknown> = {}, name = "weather") =>
    call(
      { callId: "call-1", name, args, kwargs },
      {
        session: { id: "session-1", variables: { user: "Ada" } },
        callId: "execution-1/call-1",
        signal: new AbortController().signal,
      },
    );
}

const echo = defineEdgePlugin({ call: async (args) => args as Record<string, unknown> });
const message = (text: string | RegExp) => ({
  error: expect.objectContaining({ message: expect.stringMatching(text) }),
});

describe("a call of an edge plugin", () => {
  it("has its arguments by the names of the YAML", async () => {
    const call = caller(echo);
    expect(await call(["Rome", 3])).toEqual({ value: { city: "Rome", days: 3 } });
    expect(await call(["Rome"], { days: 3 })).toEqual({ value: { city: "Rome", days: 3 } });
    expect(await call([], { city: "Rome", days: null })).toEqual({ value: { city: "Rome" } });
    expect(await call(["Rome", 3, 4])).toEqual(message(/takes 2 arguments, not 3/));
    expect(await call(["Rome"], { city: "Oslo" })).toEqual(message(/city is given twice/));
    expect(await call(["Rome"], { day: 1 })).toEqual(message(/has no argument day; it has city, days/));
    expect(await call([], { days: 1 })).toEqual(message(/the argument city is missing/));
    expect(await call([], {}, "constructor")).toEqual(message(/no such plugin/));
  });

  it("is checked by the schema, whose outcome the plugin gets", async () => {
    const call = caller(
      defineEdgePlugin({
        argsSchema: z.object({ city: z.string().min(2), days: z.int().default(1) }),
        call: async ({ city, days }) => `${city} ${days}`,
      }),
    );
    expect(await call(["Rome"])).toEqual({ value: "Rome 1" });
    expect(await call(["R", 1.5])).toEqual({
      error: { name: "ValueError", message: expect.stringMatching(/^city: .*; days: /) },
    });
  });

  it("reaches bindings, secrets and its configuration, and nothing by guessing", async () => {
    const store = { get: async (key: string) => `value of ${key}` };
    const plugin = defineEdgePlugin({
      async call(args, { config, session, callId, binding, secret }) {
        const { city } = args as { city: string };
        if (city === "no binding") binding("OTHER");
        if (city === "no secret") secret("other");
        const value = await binding<typeof store>("STORE").get(city);
        return [value, secret("api_key"), config["unit"], session.variables["user"], callId];
      },
    });
    const call = caller(plugin, { env: { STORE: store, PLUGIN_WEATHER_API_KEY: "s3cret" } });
    expect(await call(["Rome"])).toEqual({
      value: ["value of Rome", "s3cret", "C", "Ada", "execution-1/call-1"],
    });
    expect(await call(["no binding"])).toEqual(message(/no binding OTHER. Add it to wrangler.toml/));
    expect(await call(["no secret"])).toEqual(message(/npx wrangler secret put PLUGIN_WEATHER_OTHER/));
  });

  it("ends in an error when the plugin fails, takes too long or says too much", async () => {
    class NoSuchCity extends Error {
      override name = "LookupError";
    }
    const plugin = defineEdgePlugin({
      async call(args, { signal }) {
        const { city } = args as { city: string };
        if (city === "large") return "x".repeat(1_000_001);
        if (city === "slow") await new Promise((resolve) => signal.addEventListener("abort", resolve));
        if (city === "slow") return new Promise(() => {});
        throw new NoSuchCity("there is no such city");
      },
    });
    const call = caller(plugin, { configurations: { timeout_seconds: 0.05 } });
    expect(await call(["Nowhere"])).toEqual({
      error: { name: "LookupError", message: "there is no such city" },
    });
    expect(await call(["slow"])).toEqual({
      error: { name: "TimeoutError", message: "no answer within 0.05 seconds" },
    });
    expect(await call(["large"])).toEqual(message(/1000003 characters, 1000000 at most/));
  });
});
