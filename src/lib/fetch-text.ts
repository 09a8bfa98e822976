/** A page's text, cut at a number of bytes. Redirects are not followed: where they lead was not checked. */
export async function fetchText(
  fetcher: typeof fetch,
  url: URL,
  options: {
    headers?: Record<string, string>;
    body?: string;
    maxBytes: number;
    timeoutMs: number;
    signal: AbortSignal;
  },
): Promise<{ status: number; type: string; text: string }> {
  const response = await fetcher(url, {
    method: options.body === undefined ? "GET" : "POST",
    redirect: "manual",
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
    ...(options.headers ? { headers: options.headers } : {}),
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the rest.
    if (bytes >= options.maxBytes) break;
  }
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    text: text + decoder.decode(),
  };
}
