/**
 * Whether a listener serves a host: lower-case names, and `*.example.com` for all names below it, by one label or more. Undefined: it
 * serves all. Ports are not looked at.
 */
export function servedHosts(names: readonly string[] | undefined): (host: string) => boolean {
  if (names === undefined) return () => true;
  const exact = new Set(names);
  const above = names.filter((name) => name.startsWith("*.")).map((name) => name.slice(1));
  return (host) => {
    const name = host.toLowerCase();
    return exact.has(name) || above.some((suffix) => name.length > suffix.length && name.endsWith(suffix));
  };
}
