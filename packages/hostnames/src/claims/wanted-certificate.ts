import { wildcardOver } from "../names/index.ts";
import { wishOf } from "./claim.ts";
import type { Claim, Memory } from "./claim.ts";
import type { Known } from "./observation.ts";

/** What tells certificates, and requests for them, apart. */
interface Kind {
  readonly names: readonly string[];
  readonly keyAlgorithm?: string | undefined;
}

/**
 * How a certificate that is issued stands to what the claim wishes for.
 * - `wanted`: it is what the strategy asks for.
 * - `replaced`: it is not, and one that is has been requested.
 * - `unwanted`: it is not, and nothing has been done about it.
 */
export function standingOf(
  claim: Claim,
  memory: Memory,
  certificate: Known | undefined,
): "wanted" | "replaced" | "unwanted" {
  if (typeof certificate !== "object" || certificate.status !== "ISSUED") return "wanted";
  if (wishOf(claim).certificate?.arn !== undefined || isAsWished(claim, certificate)) return "wanted";
  const request = memory.certificate?.request;
  return request !== undefined && isAsWished(claim, request) ? "replaced" : "unwanted";
}

function isAsWished(claim: Claim, { names, keyAlgorithm }: Kind): boolean {
  const { hostname } = claim.spec;
  const { strategy = "Reuse", keyAlgorithm: wished } = wishOf(claim).certificate ?? {};
  if (wished !== undefined && keyAlgorithm !== undefined && keyAlgorithm !== wished) return false;
  switch (strategy) {
    case "Reuse":
      return true;
    case "Single":
      return names.length === 1 && names[0] === hostname;
    case "Bundle":
      return names.includes(hostname);
    case "Wildcard":
      return names.includes(wildcardOver(hostname) ?? hostname) || names.includes(`*.${hostname}`);
  }
}
