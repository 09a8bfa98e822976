import { modelServices, samplingKeys, type ModelService } from "./model-keys.ts";

/** Which model is asked, where, and how. */
export interface ModelSettings {
  apiKey: string;
  baseUrl: string;
  model: string;
  responseFormat: "json_schema" | "json_object" | "text";
  /** Sent with each request, in the wire's own names. */
  sampling: Record<string, unknown>;
  timeoutMs: number;
  maxRetries: number;
  /** Set for Azure's own addresses, which carry it. */
  azureApiVersion?: string;
}

const DEFAULT_MODEL = "gpt-4.1";

/**
 * The settings of one model. Undefined when neither a key nor an address is given, and the service is the default one,
 * which wants both.
 */
export function modelSettings(options: {
  value<Value>(key: string): Value;
  /** From the environment, OpenAI's own names: it goes before the files. */
  environment?: { apiKey?: string | undefined; baseUrl?: string | undefined; model?: string | undefined };
}): ModelSettings | undefined {
  const { value, environment = {} } = options;
  const service = value<ModelService>("llm.api_type");
  const ofService = <Value>(name: string) => value<Value | undefined>(`llm.${service}.${name}`);
  const apiKey = environment.apiKey ?? value<string | undefined>("llm.api_key");
  const baseUrl =
    environment.baseUrl ?? value<string | undefined>("llm.api_base") ?? ofService<string>("api_base");
  // Services on one's own machine want no key; any other one says so itself.
  if (apiKey === undefined && baseUrl === undefined && service !== "ollama") return undefined;
  const { stop_token: stop, ...sampling } = Object.fromEntries(
    Object.keys(samplingKeys).map((name) => [
      name,
      // TaskWeaver has these under the service's name; under OpenAI's they hold for any.
      ofService(name) ?? value(`llm.openai.${name}`),
    ]),
  );
  const sent = { ...sampling, stop, ...value<Record<string, unknown> | undefined>("llm.extra_body") };
  return {
    // The client wants one in any case.
    apiKey: apiKey ?? "none",
    baseUrl: baseUrl ?? modelServices[service] ?? modelServices.openai,
    model:
      environment.model ??
      ofService<string>("model") ??
      value<string | undefined>("llm.model") ??
      DEFAULT_MODEL,
    responseFormat: ofService("response_format") ?? value("llm.response_format") ?? "json_schema",
    sampling: Object.fromEntries(Object.entries(sent).filter(([, setting]) => setting !== undefined)),
    timeoutMs: value<number>("llm.timeout_seconds") * 1000,
    maxRetries: value("llm.max_retries"),
    ...(service === "azure" ? { azureApiVersion: value<string>("llm.azure.api_version") } : {}),
  };
}

/** An alias is the main model as far as it says nothing else; another service is not sent the main one's key. */
export function aliasSettings(options: {
  main: ModelSettings | undefined;
  own: Record<string, unknown>;
  /** The alias's own key, which is a secret. */
  apiKey: string | undefined;
  value<Value>(key: string): Value;
}): ModelSettings | undefined {
  const { main, own, apiKey } = options;
  const isElsewhere = own["llm.api_type"] !== undefined || own["llm.api_base"] !== undefined;
  const value = <Value>(key: string): Value => {
    if (own[key] !== undefined && own[key] !== null) return own[key] as Value;
    if (isElsewhere && (key === "llm.api_base" || key === "llm.api_key")) return undefined as Value;
    return options.value(key);
  };
  const inherited = isElsewhere ? {} : { apiKey: main?.apiKey, baseUrl: main?.baseUrl };
  const model = isElsewhere || own["llm.model"] !== undefined ? undefined : main?.model;
  const settings = modelSettings({
    value,
    environment: { ...inherited, ...(apiKey ? { apiKey } : {}), model },
  });
  // The same service, only named once more.
  const isSame = settings && main && apiKey === undefined && settings.baseUrl === main.baseUrl;
  return isSame ? { ...settings, apiKey: main.apiKey } : settings;
}
