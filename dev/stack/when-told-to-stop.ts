const PARENT_CHECK_MS = 500;

/**
 * Resolves when this process is to end: by a signal, or because the npm that started it is gone (killed, it can't pass
 * the signal on).
 */
export function whenToldToStop(): Promise<"stop"> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve("stop"));
    if (process.env.npm_lifecycle_event === undefined) return;
    const parent = process.ppid;
    const check = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(check);
      resolve("stop");
    }, PARENT_CHECK_MS);
    check.unref();
  });
}
