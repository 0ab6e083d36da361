/**
 * The hosts of a row: those of its route that also are what its entry names, or undefined for any. Nothing: it can never match. Names
 * are lower-case, and without a port.
 */
export function hostsOf(routeHosts: readonly string[] | undefined, named: string | undefined): (string | undefined)[] {
  const hosts = new Set((routeHosts ?? []).map((host) => host.toLowerCase()));
  if (hosts.size === 0) return [named];
  if (named === undefined) return [...hosts];
  return [...hosts].some((host) => covers(host, named)) ? [named] : [];
}

function covers(host: string, name: string): boolean {
  return host.startsWith("*.") ? name.endsWith(host.slice(1)) && name.length >= host.length : host === name;
}
