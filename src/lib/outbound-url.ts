/** Why an address that somebody gave may not be fetched; the message can be shown to them. */
export class RefusedUrlError extends Error {
  override readonly name = "RefusedUrlError";
  readonly code = "url_refused";
}

/**
 * The one guard for addresses that come from users, models or configuration by others: https on the usual port, a
 * public host by name, no credentials. Names that lead to private addresses are the network's to keep apart: a Worker
 * has no private network to reach, and reaches none of its own account's hosts by this.
 */
export function checkOutboundUrl(text: string, { ownHosts = [] }: { ownHosts?: string[] } = {}): URL {
  const refuse = (why: string): never => {
    throw new RefusedUrlError(`This address can't be fetched: ${why}.`);
  };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse("it is no URL");
  }
  if (url.protocol !== "https:") refuse("only https is allowed");
  if (url.username !== "" || url.password !== "") refuse("it holds credentials");
  if (url.port !== "") refuse("only the usual port is allowed");
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  // Node and browsers write every spelling of an IPv4 address (0x7f.1, 2130706433) as four numbers.
  if (/^\d+(\.\d+){3}$/.test(host) || host.startsWith("[")) refuse("it names a number instead of a host");
  const isPrivate =
    !host.includes(".") || /\.(localhost|local|internal|intranet|lan|home|corp|test|arpa)$/.test(host);
  if (isPrivate) refuse("its host is not a public one");
  if (ownHosts.includes(host)) refuse("it is this deployment's own host");
  return url;
}
