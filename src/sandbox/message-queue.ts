/** Messages from a callback, for whoever waits for one after the other. */
export function createMessageQueue<Message>() {
  const messages: Message[] = [];
  let failure: { error: unknown } | undefined;
  let wake = Promise.withResolvers<void>();
  return {
    push(message: Message): void {
      messages.push(message);
      wake.resolve();
    },
    /** Whoever waits gets this error at once. */
    fail(error: unknown): void {
      failure = { error };
      wake.resolve();
    },
    async next(): Promise<Message> {
      for (;;) {
        if (failure) throw failure.error;
        const message = messages.shift();
        if (message !== undefined) return message;
        wake = Promise.withResolvers<void>();
        await wake.promise;
      }
    },
  };
}
