/** The labels of a normalised hostname, the left-most first. Hostnames are compared by them, never as texts. */
export function labelsOf(hostname: string): readonly string[] {
  return hostname.split(".");
}

/**
 * Whether a normalised hostname is a domain's own name or below it, at any depth. The domain may be written as Route 53 gives it, with
 * a dot at its end.
 */
export function isWithin(hostname: string, domain: string): boolean {
  const name = labelsOf(hostname);
  const zone = labelsOf(bare(domain));
  const offset = name.length - zone.length;
  return offset >= 0 && zone.every((label, index) => label !== "" && label === name[offset + index]);
}

/** Whether who has `granted` may use `hostname`. A wildcard stands for one label: neither for none nor for two. */
export function covers(granted: string, hostname: string): boolean {
  if (granted === hostname) return true;
  const [wildcard, ...base] = labelsOf(granted);
  const [first, ...rest] = labelsOf(hostname);
  return wildcard === "*" && first !== "*" && same(base, rest);
}

/**
 * Whether a load balancer that has rules for both can give one the requests of the other. Its wildcards stand for any number of labels, and
 * rules for all hostnames of a port are in one list: what misses those of x.y.example.com gets to those of *.example.com.
 */
export function overlaps(a: string, b: string): boolean {
  return a === b || wildcardsReaching(a).includes(b) || wildcardsReaching(b).includes(a);
}

/** The domains that a hostname is below, the nearest first, but for the top-level one: nobody can have the wildcard over that. */
export function domainsAbove(hostname: string): readonly string[] {
  const [, ...above] = labelsOf(hostname);
  return above.slice(0, -1).map((_, index) => above.slice(index).join("."));
}

/** All other wildcards that {@link overlaps} with a hostname and are above it. */
export function wildcardsReaching(hostname: string): readonly string[] {
  return domainsAbove(hostname)
    .map((domain) => `*.${domain}`)
    .filter((wildcard) => wildcard !== hostname);
}

/** The wildcard that covers a hostname. Undefined for names that are one. */
export function wildcardOver(hostname: string): string | undefined {
  const [first, ...rest] = labelsOf(hostname);
  return first === "*" ? undefined : ["*", ...rest].join(".");
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((label, index) => label === b[index]);
}

function bare(domain: string): string {
  const lower = domain.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower.endsWith(".") ? lower.slice(0, -1) : lower;
}
