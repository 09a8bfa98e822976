const START = "{{DELIMITER_START_TEMPORAL}}";
const END = "{{DELIMITER_END_TEMPORAL}}";

/**
 * Text between the temporal delimiters is meant for the round in which it was said. In later rounds it is left out;
 * in its own round only the markers go. Stored posts keep both.
 */
export function showTemporal(text: string, isCurrentRound: boolean): string {
  if (isCurrentRound) return text.replaceAll(START, "").replaceAll(END, "");
  let shown = "";
  let position = 0;
  for (;;) {
    const start = text.indexOf(START, position);
    const end = start < 0 ? -1 : text.indexOf(END, start);
    if (end < 0) return shown + text.slice(position);
    shown += text.slice(position, start);
    position = end + END.length;
  }
}
