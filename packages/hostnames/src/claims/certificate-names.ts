import type { Certificate } from "@gatewright/aws";
import { isWithin, wildcardOver } from "../names/index.ts";

/** How a claim gets a certificate. */
export type Strategy = "Reuse" | "Wildcard" | "Bundle" | "Single";

/**
 * The names of a certificate to be requested. A wildcard covers the name's siblings, so that they need none; a zone's own name has no
 * siblings in the zone, and gets one for itself and for all directly below it.
 */
export function certificateNames(
  strategy: Strategy,
  hostname: string,
  zoneName: string,
  gathered: readonly string[],
): readonly string[] {
  switch (strategy) {
    case "Single":
      return [hostname];
    case "Reuse":
    case "Bundle":
      return gathered;
    case "Wildcard": {
      const wildcard = wildcardOver(hostname);
      if (wildcard === undefined) return [hostname];
      return isWithin(wildcard.slice(2), zoneName) ? [wildcard] : [hostname, `*.${hostname}`];
    }
  }
}

const OVER: ReadonlySet<string> = new Set(["FAILED", "VALIDATION_TIMED_OUT", "REVOKED", "EXPIRED", "INACTIVE"]);

const INVALID: ReadonlySet<string> = new Set(["FAILED", "VALIDATION_TIMED_OUT"]);

/** Whether ACM has given up validating it. One of its names is to blame, and nobody says which. */
export function hasFailed({ status }: Certificate): boolean {
  return INVALID.has(status);
}

/** Whether nothing comes of a certificate any more. */
export function isOver({ status }: Certificate): boolean {
  return OVER.has(status);
}
