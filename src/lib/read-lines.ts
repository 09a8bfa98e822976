/** The lines of a byte stream as they arrive; a last line without a line feed counts too. */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield line;
      if (done) break;
    }
    if (rest !== "") yield rest;
  } finally {
    // The consumer may stop early (an abort, a terminal event): the connection is not left hanging.
    await reader.cancel().catch(() => {});
  }
}
