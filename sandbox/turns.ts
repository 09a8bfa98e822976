/** One piece of work at a time, in the order of the calls; one that fails doesn't hold up the next. */
export class Turns {
  #order: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Whether any work is under way or waits for its turn. */
  get taken(): boolean {
    return this.#waiting > 0;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    const turn = this.#order.catch(() => {}).then(work);
    this.#order = turn;
    try {
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Settles when the work of all calls up to now has ended, well or not. */
  async settled(): Promise<void> {
    await this.#order.catch(() => {});
  }
}
