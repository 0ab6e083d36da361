import { createHash } from "node:crypto";

/**
 * On every claim: which domain its hostname is directly below, as a hash since names can be longer than labels. Operators of an earlier
 * version find overlapping claims by it, and may be there before or after this one.
 */
const PARENT_LABEL = "gateway.opendi.com/parent";

/** On every claim: the uid of the request that made it. */
export const REQUEST_LABEL = "gateway.opendi.com/request-uid";

/** The domain that a hostname is directly below: `example.com` of `shop.example.com` and of `*.example.com`. */
function parentDomain(hostname: string): string {
  return hostname.slice(hostname.indexOf(".") + 1);
}

/** What {@link PARENT_LABEL} says for the hostnames below a domain. */
function parentLabel(domain: string): string {
  return createHash("sha256").update(domain).digest("hex").slice(0, 32);
}

/** The labels by which claims are found without reading all of them. */
export function claimLabels(hostname: string, requestUid: string): Readonly<Record<string, string>> {
  return { [PARENT_LABEL]: parentLabel(parentDomain(hostname)), [REQUEST_LABEL]: requestUid };
}

/** Holds a claim until all that was made for it is gone. On it from the start, so that nothing is ever made for one that can vanish. */
export const CLAIM_FINALIZER = "gateway.opendi.com/claim";
