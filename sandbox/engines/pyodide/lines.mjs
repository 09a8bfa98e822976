import fs from "node:fs";

const STDIN = 0;
const PAUSE_MS = 2;
const PIECE = 64 * 1024;

/** The lines of stdin: followed as they come, or waited for while Python runs and no event of Node's can arrive. */
export function createLineReader(onEnd) {
  let rest = Buffer.alloc(0);
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const piece = Buffer.alloc(PIECE);

  function takeLine() {
    const end = rest.indexOf(10);
    if (end < 0) return undefined;
    const line = rest.subarray(0, end).toString();
    rest = rest.subarray(end + 1);
    return line;
  }

  /** Undefined when nothing is there to be read now. */
  function readNow() {
    try {
      const size = fs.readSync(STDIN, piece, 0, PIECE, null);
      if (size === 0) onEnd();
      return piece.subarray(0, size);
    } catch (error) {
      if (error.code === "EAGAIN") return undefined;
      return onEnd();
    }
  }

  return {
    follow(take) {
      process.stdin.on("data", (data) => {
        rest = Buffer.concat([rest, data]);
        for (let line = takeLine(); line !== undefined; line = takeLine()) take(line);
      });
      process.stdin.on("end", onEnd);
      process.stdin.on("error", onEnd);
    },
    /** The next line, undefined when none comes in time. */
    wait(limitMs) {
      const end = performance.now() + limitMs;
      for (;;) {
        const line = takeLine();
        if (line !== undefined) return line;
        const data = readNow();
        if (data) rest = Buffer.concat([rest, data]);
        else if (performance.now() >= end) return undefined;
        else Atomics.wait(pause, 0, 0, PAUSE_MS);
      }
    },
  };
}
