import { isWithin, labelsOf } from "./labels.ts";

/**
 * Whether an allowlist has a place for a normalised hostname. `opendi.com` allows itself and all below it, `*.opendi.com` only what is
 * below it. An empty list allows everything.
 */
export function allowedBy(hostname: string, allowlist: readonly string[]): boolean {
  return allowlist.length === 0 || allowlist.some((entry) => allows(entry, hostname));
}

function allows(entry: string, hostname: string): boolean {
  const [first, ...rest] = labelsOf(entry);
  if (first !== "*") return isWithin(hostname, entry);
  const base = rest.join(".");
  return isWithin(hostname, base) && labelsOf(hostname).length > labelsOf(base).filter((label) => label !== "").length;
}
