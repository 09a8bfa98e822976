import { FileTooLargeError } from "./files.ts";

/** R2's parts have all the same size, but for the last one, and at least 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;

/** Stores a body in R2 without holding more of it than one part, whether its length is known or not. */
export async function putStream(options: {
  bucket: R2Bucket;
  key: string;
  body: ReadableStream<Uint8Array> | Uint8Array;
  mime: string;
  size?: number | undefined;
  limit: number;
}): Promise<R2Object> {
  const { bucket, key, body, size, limit } = options;
  const metadata = { httpMetadata: { contentType: options.mime } };
  const length = body instanceof Uint8Array ? body.length : size;
  if (length !== undefined && length > limit) throw new FileTooLargeError(limit);
  if (body instanceof Uint8Array) return bucket.put(key, body, metadata);
  if (length !== undefined) return bucket.put(key, body.pipeThrough(new FixedLengthStream(length)), metadata);

  const parts = partsOf(body, limit);
  const first = await parts.next();
  if (first.done || first.value.length < PART_BYTES) {
    return bucket.put(key, first.value ?? new Uint8Array(), metadata);
  }
  const upload = await bucket.createMultipartUpload(key, metadata);
  try {
    const uploaded = [await upload.uploadPart(1, first.value)];
    for await (const part of parts) uploaded.push(await upload.uploadPart(uploaded.length + 1, part));
    return await upload.complete(uploaded);
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

async function* partsOf(
  body: ReadableStream<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array, undefined> {
  let part = new Uint8Array(PART_BYTES);
  let filled = 0;
  let total = 0;
  for await (const chunk of body) {
    total += chunk.length;
    if (total > limit) throw new FileTooLargeError(limit);
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + PART_BYTES - filled);
      part.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < PART_BYTES) continue;
      yield part;
      part = new Uint8Array(PART_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}
