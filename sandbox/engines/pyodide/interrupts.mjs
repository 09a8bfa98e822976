import fs from "node:fs";

const SIGINT = 2;
const TICK_SIGNAL = 10; // SIGUSR1: Python's handler sends the output that waits
const TICK_MS = 50;
const POLL_MS = 20;
const INSIST_MS = 500;

/**
 * Interrupts without threads. The interpreter reads index 0 of its interrupt buffer every few bytecodes, and here that is
 * an accessor: it answers SIGINT at the deadline or when the server has changed the byte of the file behind `fd`. A
 * regular file: reading a pipe would block. SIGINT is repeated until the cell ends, because `except:` in a loop is a
 * habit of model-written code.
 */
export function createInterrupts(fd, onOrphaned) {
  const byte = Buffer.alloc(1);
  const parent = process.ppid;
  let armed = false;
  let ticking = false;
  let deadline = Infinity;
  let seen = 0;
  let lastPoll = 0;
  let lastTick = 0;

  const read = () => (fs.readSync(fd, byte, 0, 1, 0) > 0 ? byte[0] : seen);

  return {
    buffer: {
      get 0() {
        if (!armed) return 0;
        const now = performance.now();
        if (now - lastPoll >= POLL_MS) {
          lastPoll = now;
          // A busy interpreter can't see its stdin close; an orphan has another parent.
          if (process.ppid !== parent) onOrphaned();
          const value = read();
          if (value !== seen) {
            seen = value;
            deadline = now;
          }
        }
        if (now >= deadline) {
          deadline = now + INSIST_MS;
          return SIGINT;
        }
        if (ticking && now - lastTick >= TICK_MS) {
          lastTick = now;
          return TICK_SIGNAL;
        }
        return 0;
      },
      set 0(_) {},
    },
    /** Until `disarm`. An interrupt that was asked for before counts for nothing. With `ticks` only when Python has a
     *  handler for them: a signal without one ends the interpreter. */
    arm(timeoutMs, ticks) {
      ticking = ticks;
      seen = read();
      lastTick = performance.now();
      deadline = lastTick + timeoutMs;
      armed = true;
    },
    disarm() {
      armed = false;
      deadline = Infinity;
    },
  };
}
