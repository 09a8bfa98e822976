import OpenAI, {
  AzureOpenAI,
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from "openai";
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { RoundFailure } from "../../lib/round-failure.ts";
import { showUrl } from "../../lib/safe-url.ts";
import { pauseBefore } from "../../lib/pause-before.ts";
import {
  ReplyBrokenError,
  type ChatMessage,
  type ChatOptions,
  type ChatReply,
  type ChatResult,
  type Llm,
} from "../llm.ts";

export interface OpenAiOptions {
  apiKey: string;
  baseUrl: string;
  model: string;
  responseFormat: "json_schema" | "json_object" | "text";
  /** Sent as they are; what isn't set isn't sent, since models differ in what they refuse. */
  sampling?: Record<string, unknown>;
  timeoutMs?: number;
  /** Of what may pass: 429, 5xx, time-outs, connections that fail or break before the first piece of text. */
  maxRetries?: number;
  /** For Azure's own addresses, which carry it and the model's name. */
  azureApiVersion?: string;
}

/** Any service that speaks OpenAI's chat completions: OpenAI, Azure, Ollama, vLLM, AI Gateway, Workers AI, … */
export function createOpenAiLlm(options: OpenAiOptions): Llm {
  const { azureApiVersion: apiVersion, maxRetries = 3 } = options;
  // Pauses between its tries grow, with jitter, and heed `Retry-After`.
  const common = { apiKey: options.apiKey, timeout: options.timeoutMs ?? 120_000, maxRetries };
  const client =
    apiVersion === undefined
      ? new OpenAI({ ...common, baseURL: options.baseUrl })
      : new AzureOpenAI({ ...common, endpoint: options.baseUrl, apiVersion, deployment: options.model });

  function request(messages: ChatMessage[], { schema }: ChatOptions): ChatCompletionCreateParamsStreaming {
    return {
      model: options.model,
      messages: messages.map(wireMessage),
      stream: true,
      stream_options: { include_usage: true },
      ...options.sampling,
      ...responseFormat(options.responseFormat, schema),
    };
  }

  return {
    chat(messages, chatOptions = {}) {
      return createReply(async function* () {
        const { signal } = chatOptions;
        for (let attempt = 0; ; attempt++) {
          let hasBegun = false;
          try {
            const stream = await client.chat.completions.create(
              request(messages, chatOptions),
              signal && { signal },
            );
            for await (const chunk of stream) {
              hasBegun ||= Boolean(chunk.choices[0]?.delta.content);
              yield chunk;
            }
            return;
          } catch (error) {
            signal?.throwIfAborted();
            const failure = explain(error, options);
            // Nobody has seen anything of it yet, so it may be asked for once more.
            if (!(failure instanceof ReplyBrokenError) || hasBegun || attempt >= maxRetries) throw failure;
            await pauseBefore(attempt, signal);
          }
        }
      });
    },
  };
}

function wireMessage({ role, content, images = [] }: ChatMessage): ChatCompletionMessageParam {
  if (role !== "user" || images.length === 0) return { role, content };
  const pictures = images.map(({ mime, bytes }) => ({
    type: "image_url" as const,
    image_url: { url: `data:${mime};base64,${bytes.toBase64()}` },
  }));
  return { role, content: [{ type: "text", text: content }, ...pictures] };
}

function responseFormat(format: OpenAiOptions["responseFormat"], schema: ChatOptions["schema"]) {
  if (!schema || format === "text") return {};
  if (format === "json_object") return { response_format: { type: "json_object" as const } };
  return {
    response_format: {
      type: "json_schema" as const,
      json_schema: { name: schema.name, schema: schema.schema, strict: true },
    },
  };
}

/** One pass over the chunks, started when the reply is made, read by as many as want it. */
function createReply(open: () => AsyncGenerator<ChatCompletionChunk>): ChatReply {
  const pieces: string[] = [];
  let wake: () => void = () => {};
  let more = new Promise<void>((resolve) => (wake = resolve));
  let ended = false;

  async function pass(): Promise<ChatResult> {
    const result: ChatResult = { text: "", finishReason: "other", promptTokens: 0, completionTokens: 0 };
    try {
      for await (const chunk of open()) {
        const choice = chunk.choices[0];
        const piece = choice?.delta.content;
        if (piece) {
          result.text += piece;
          pieces.push(piece);
          wake();
          more = new Promise<void>((resolve) => (wake = resolve));
        }
        const reason = choice?.finish_reason;
        if (reason) result.finishReason = reason === "stop" || reason === "length" ? reason : "other";
        if (chunk.usage) {
          result.promptTokens = chunk.usage.prompt_tokens;
          result.completionTokens = chunk.usage.completion_tokens;
        }
      }
      return result;
    } finally {
      ended = true;
      wake();
    }
  }

  const whole = pass();
  // Whoever asks for the result gets its rejection; a reply that nobody asks for must not end the process.
  whole.catch(() => {});
  return {
    result: () => whole,
    async *[Symbol.asyncIterator]() {
      for (let next = 0; ;) {
        while (next < pieces.length) yield pieces[next++]!;
        if (ended) break;
        await more;
      }
      await whole;
    },
  };
}

function explain(error: unknown, { baseUrl, model }: OpenAiOptions): Error {
  const where = showUrl(baseUrl);
  if (error instanceof APIUserAbortError) return error;
  if (error instanceof APIConnectionTimeoutError) {
    return new RoundFailure(
      "model_unreachable",
      `The model at ${where} did not answer in time. Try again later.`,
      {
        cause: error,
      },
    );
  }
  if (error instanceof APIConnectionError) {
    return new RoundFailure(
      "model_unreachable",
      `The model service at ${where} can't be reached. Check OPENAI_BASE_URL and that the service is up.`,
      { cause: error },
    );
  }
  if (error instanceof APIError && typeof error.status === "number") {
    const refused = `The model service at ${where} answered ${error.status} for model "${model}"`;
    if (error.status === 401 || error.status === 403) {
      return new RoundFailure(
        "model_rejected",
        `${refused}: it does not accept the key. Check OPENAI_API_KEY.`,
        {
          cause: error,
        },
      );
    }
    if (error.status === 404) {
      return new RoundFailure("model_rejected", `${refused}. Check OPENAI_MODEL and OPENAI_BASE_URL.`, {
        cause: error,
      });
    }
    if (error.status === 429 || error.status >= 500) {
      return new RoundFailure("model_unreachable", `${refused} and went on doing so. Try again later.`, {
        cause: error,
      });
    }
    return new RoundFailure("model_rejected", `${refused}: ${error.message.slice(0, 300)}`, { cause: error });
  }
  // A stream that breaks off in the middle arrives as whatever the runtime's fetch throws.
  return new ReplyBrokenError(`The connection to the model at ${where} broke off. Try again.`, {
    cause: error,
  });
}
