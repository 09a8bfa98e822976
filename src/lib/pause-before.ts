const FIRST_PAUSE_MS = 300;

/** Waits before the next try, longer each time, with jitter so that those who failed together don't come back together. */
export async function pauseBefore(attempt: number, signal?: AbortSignal): Promise<void> {
  const ms = FIRST_PAUSE_MS * 2 ** attempt * (0.75 + Math.random() / 2);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const abort = () => reject(signal?.reason as Error);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
