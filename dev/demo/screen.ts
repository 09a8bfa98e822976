/** What the demo writes to; process.stdout fits. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const CLEAR_LINE = "\r\u001b[2K";

/** Text with a line of progress under it: moving on a terminal, plain lines elsewhere. */
export function createScreen(output: Output) {
  let atLineStart = true;
  let status = "";
  let drawn = false;
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;

  function erase() {
    if (drawn) output.write(CLEAR_LINE);
    drawn = false;
  }

  function draw() {
    if (!status || !atLineStart) return;
    const line = `${FRAMES[frame++ % FRAMES.length]} ${status}`;
    output.write(`${CLEAR_LINE}${line.slice(0, (output.columns || 80) - 1)}`);
    drawn = true;
  }

  return {
    write(text: string) {
      if (text === "") return;
      erase();
      output.write(text);
      atLineStart = text.endsWith("\n");
    },

    /** Says what is going on; empty when nothing is. */
    status(text: string) {
      const line = text.replace(/\s+/g, " ").trim();
      if (line === status) return;
      status = line;
      if (output.isTTY) {
        erase();
        clearInterval(timer);
        if (status === "") return;
        draw();
        timer = setInterval(draw, 100).unref();
      } else if (status) {
        output.write(`${atLineStart ? "" : "\n"}… ${status}\n`);
        atLineStart = true;
      }
    },

    clear() {
      if (output.isTTY) output.write("\u001b[2J\u001b[3J\u001b[H");
    },
  };
}

export type Screen = ReturnType<typeof createScreen>;
