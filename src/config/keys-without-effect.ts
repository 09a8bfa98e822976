const NOT_YET = "not built yet";
const LOCAL_PROCESS = "belongs to a process on a machine with a disk, which there is none of here";
const OTHER_SANDBOX = "code runs in the remote sandbox, see SANDBOX_URL";
const OTHER_PROVIDER = "any OpenAI-compatible service is reached through llm.api_base";

/** TaskWeaver's keys that are accepted without having an effect, and why. `*` stands for any name or rest. */
export const keysWithoutEffect: Record<string, string> = {
  use_local_uri: "artifacts are served over HTTP",
  "session.experience_dir":
    "what a session has taught is kept in D1; files are read from <role>.experience_dir",
  "session_manager.store_type": "sessions are always kept in D1",
  "workspace.*": LOCAL_PROCESS,
  "*.llm_alias": "there is no role of that name",
  "*.prompt_compression": "there is no role of that name",
  "*.compression_prompt_path": "there is no role of that name",
  "code_interpreter.use_local_uri": "artifacts are served over HTTP",
  "code_interpreter.code_prefix": "code runs as it is written, so that line numbers are the user's",
  "code_interpreter_plugin_only.use_local_uri": "artifacts are served over HTTP",
  "code_interpreter_cli_only.use_local_uri": "artifacts are served over HTTP",
  "experience.refresh_experience": "what changed is seen by its content",
  "role.*": "roles are the folders under src/roles/ and the project's roles/",
  "execution_service.*": OTHER_SANDBOX,
  "llm.api_version": "the key is llm.azure.api_version",
  "llm.openai.*": "not sent: what a model service doesn't know, many refuse",
  "llm.azure.*": OTHER_PROVIDER,
  "llm.azure_ad.*": OTHER_PROVIDER,
  "llm.azure_ml.*": OTHER_PROVIDER,
  "llm.ollama.*": OTHER_PROVIDER,
  "llm.google_genai.*": OTHER_PROVIDER,
  "llm.zhipuai.*": OTHER_PROVIDER,
  "llm.qwen.*": OTHER_PROVIDER,
  "llm.groq.*": OTHER_PROVIDER,
  "llm.anthropic.*": OTHER_PROVIDER,
  "logging.*": "logs go to Workers Logs",
  "tracing.*": "traces are Cloudflare's, see observability in wrangler.toml",
  "document_retriever.index_folder":
    "documents are uploaded to the deployment, see PUT /v1/documents; an index of FAISS can't be read here",
  "web_search.chunk_overlap": "what a search service extracts is shown as it is",
  "web_search.bing_api_key": "Bing's search API was shut down",
  "web_explorer.*": "there is no such role, see docs/roles.md",
  webhooks: NOT_YET,
};

/** Why a key is accepted without having an effect; undefined for a key that nobody knows. */
export function whyWithoutEffect(key: string): string | undefined {
  const entry = Object.entries(keysWithoutEffect).find(([pattern]) => {
    if (!pattern.includes("*")) return pattern === key;
    const [before = "", after = ""] = pattern.split("*");
    return key.startsWith(before) && key.endsWith(after) && key.length > before.length + after.length;
  });
  return entry?.[1];
}
