/** The host of an authority, as routes are found by: without its port, and without the dot that ends a full name. */
export function authorityHost(authority: string): string {
  const colon = authority.indexOf(":", authority.charCodeAt(0) === 0x5b ? authority.indexOf("]") : 0);
  const host = colon === -1 ? authority : authority.slice(0, colon);
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
