export const START_TEMPORAL = "{{DELIMITER_START_TEMPORAL}}";
export const END_TEMPORAL = "{{DELIMITER_END_TEMPORAL}}";

/**
 * Text between the temporal delimiters is meant for the round in which it was said. In later rounds it is left out;
 * in its own round only the markers go. Stored posts keep both.
 */
export function showTemporal(text: string, isCurrentRound: boolean): string {
  if (isCurrentRound) return text.replaceAll(START_TEMPORAL, "").replaceAll(END_TEMPORAL, "");
  let shown = "";
  let position = 0;
  for (;;) {
    const start = text.indexOf(START_TEMPORAL, position);
    const end = start < 0 ? -1 : text.indexOf(END_TEMPORAL, start);
    if (end < 0) return shown + text.slice(position);
    shown += text.slice(position, start);
    position = end + END_TEMPORAL.length;
  }
}
