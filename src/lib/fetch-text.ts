import { fetchBytes, type FetchOptions } from "./fetch-bytes.ts";

/** A page's text, cut where it passes the limit. */
export async function fetchText(
  fetcher: typeof fetch,
  url: URL,
  options: FetchOptions,
): Promise<{ status: number; type: string; text: string }> {
  const { bytes, ...answer } = await fetchBytes(fetcher, url, options);
  return { ...answer, text: new TextDecoder().decode(bytes) };
}
