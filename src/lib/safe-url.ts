/** An address as it may be shown to people: without credentials, query and fragment. */
export function showUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
  } catch {
    return "an address that is no URL";
  }
}
