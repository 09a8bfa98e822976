/** Shortens a text from its middle: the beginning shows what it is, the end holds an error's last line. */
export function capMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit / 2);
  const tail = limit - head;
  return `${text.slice(0, head)}\n… ${text.length - limit} more characters …\n${text.slice(text.length - tail)}`;
}
