const NAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+\.?$/u;
const IPV6 = /^\[[0-9a-f:.]{2,45}\]$/u;
const PORT = /^[0-9]{1,5}$/u;
const MAX_LENGTH = 261;

/**
 * The normal form of a Host field or `:authority`: lower-case, with the port only where there is one. Undefined: it is none, as with
 * user information, escapes, blanks or lists in it.
 */
export function normalAuthority(raw: string): string | undefined {
  if (raw.length === 0 || raw.length > MAX_LENGTH) return undefined;
  const text = raw.toLowerCase();
  const colon = text.indexOf(":", text.indexOf("]") + 1);
  const host = colon === -1 ? text : text.slice(0, colon);
  if (!NAME.test(host) && !IPV6.test(host)) return undefined;
  if (colon === -1) return text;
  const port = text.slice(colon + 1);
  return PORT.test(port) && Number(port) <= 65535 ? text : undefined;
}

/** An authority without its port, and without the dot that names may end with. */
export function hostOf(authority: string): string {
  const colon = authority.indexOf(":", authority.indexOf("]") + 1);
  const host = colon === -1 ? authority : authority.slice(0, colon);
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
