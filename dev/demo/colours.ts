export type Paint = (text: string) => string;

export interface Colours {
  bold: Paint;
  dim: Paint;
  red: Paint;
  green: Paint;
  cyan: Paint;
}

const plain: Paint = (text) => text;

/** Colours for a terminal; none elsewhere, and none when NO_COLOR is set to anything. */
export function chooseColours({ isTerminal, noColor }: { isTerminal: boolean; noColor?: string }): Colours {
  if (!isTerminal || noColor) return { bold: plain, dim: plain, red: plain, green: plain, cyan: plain };
  return { bold: code(1), dim: code(2), red: code(31), green: code(32), cyan: code(36) };
}

function code(number: number): Paint {
  return (text) => `\u001b[${number}m${text}\u001b[0m`;
}

const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are what has to go
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b\[[0-?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from elsewhere without what would steer the terminal: colours, cursor moves, titles. */
export function withoutControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROLS, "");
}
