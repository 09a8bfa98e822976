export interface FetchOptions {
  headers?: Record<string, string>;
  /** Posted, where there is one. */
  body?: string;
  maxBytes: number;
  timeoutMs: number;
  signal: AbortSignal;
}

/** What is at an address, cut where the limit is passed. Redirects are not followed: where they lead was not checked. */
export async function fetchBytes(
  fetcher: typeof fetch,
  url: URL,
  options: FetchOptions,
): Promise<{ status: number; type: string; bytes: Uint8Array }> {
  const response = await fetcher(url, {
    method: options.body === undefined ? "GET" : "POST",
    redirect: "manual",
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
    ...(options.headers ? { headers: options.headers } : {}),
    ...(options.body === undefined ? {} : { body: options.body }),
  });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let total = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    total += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (total > options.maxBytes) break;
  }
  return {
    status: response.status,
    type: response.headers.get("content-type") ?? "",
    bytes: await new Blob(chunks).bytes(),
  };
}
