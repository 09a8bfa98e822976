import * as z from "zod";

/** Services that speak OpenAI's chat completions, by TaskWeaver's names for them, and where they are. */
export const modelServices = {
  openai: "https://api.openai.com/v1",
  azure: undefined,
  ollama: "http://localhost:11434/v1",
  groq: "https://api.groq.com/openai/v1",
  qwen: "https://dashscope.aliyuncs.com/compatible-mode/v1",
  zhipuai: "https://open.bigmodel.cn/api/paas/v4",
  google_genai: "https://generativelanguage.googleapis.com/v1beta/openai",
  anthropic: "https://api.anthropic.com/v1",
} as const;
export type ModelService = keyof typeof modelServices;
const serviceNames = Object.keys(modelServices) as ModelService[];

const optionalText = z.string().optional();

/** What a request may carry beside its messages. What isn't set isn't sent, since models differ in what they refuse. */
export const samplingKeys = {
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  frequency_penalty: z.number().optional(),
  presence_penalty: z.number().optional(),
  seed: z.int().optional(),
  stop_token: z.union([z.string(), z.array(z.string())]).optional(),
  reasoning_effort: optionalText,
};

const serviceKeys = (service: ModelService) => ({
  [`llm.${service}.api_base`]: optionalText,
  [`llm.${service}.model`]: optionalText,
  [`llm.${service}.response_format`]: z.enum(["json_schema", "json_object", "text"]).optional(),
  ...Object.fromEntries(
    Object.entries(samplingKeys).map(([name, schema]) => [`llm.${service}.${name}`, schema]),
  ),
});

/** The keys that say which model is asked, and how. An alias in `ext_llms.llm_configs` may set each of them anew. */
export const modelKeys: Record<string, z.ZodType> = {
  "llm.api_type": z.enum(serviceNames).default("openai"),
  "llm.api_base": optionalText,
  "llm.api_key": optionalText,
  "llm.model": optionalText,
  "llm.response_format": z.enum(["json_schema", "json_object", "text"]).optional(),
  "llm.timeout_seconds": z.number().positive().max(3600).default(120),
  "llm.max_retries": z.int().min(0).max(10).default(3),
  "llm.extra_body": z.record(z.string(), z.unknown()).optional(),
  "llm.azure.api_version": z.string().default("2024-10-21"),
  ...Object.assign({}, ...serviceNames.map(serviceKeys)),
};

/** `ext_llms.llm_configs`: models by alias, each as far as it differs from the main one. */
export const modelAliases = z
  .record(z.string().min(1), z.record(z.string(), z.unknown()))
  .default({})
  .check(({ value, issues }) => {
    for (const [alias, settings] of Object.entries(value)) {
      for (const [key, setting] of Object.entries(settings)) {
        const schema = modelKeys[key];
        const parsed = schema && setting !== null ? schema.safeParse(setting) : undefined;
        const message = schema
          ? parsed?.error?.issues[0]?.message
          : "no key of a model; they begin with llm.";
        if (message)
          issues.push({
            code: "custom",
            path: [alias, key],
            message: `${alias}: ${key}: ${message}`,
            input: setting,
          });
      }
    }
  });

/** The environment's name for an alias's own key. */
export const aliasKeyName = (alias: string): string => `ext_llms.${alias}.api_key`;
