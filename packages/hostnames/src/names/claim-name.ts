/**
 * The name of the one DomainClaim that a normalised hostname can have. Two hostnames never share one: a wildcard's ends in `.0`, and
 * no hostname has a last label that begins with a digit. It is never longer than the hostname.
 */
export function claimName(hostname: string): string {
  return hostname.startsWith("*.") ? `${hostname.slice(2)}.0` : hostname;
}
