import { createHash } from "node:crypto";
import type { CertificateOrder } from "@gatewright/aws";
import { formatTime, parseTime } from "@gatewright/kube";
import type { Claim, CertificateRequest } from "./claim.ts";
import { ownTags } from "./own-tags.ts";
import { ownerOf, wishOf } from "./claim.ts";

/** A certificate's first name can have so many characters. */
const LONGEST_FIRST = 64;
const FIRST_PAUSE_MS = 900_000;
const LONGEST_PAUSE_MS = 86_400_000;

/** Validation takes minutes; what takes longer has a cause. */
export const LONG_VALIDATION_MS = 600_000;

/** So often a certificate is asked for whose validation fails; then a person has to look. */
export const MOST_ATTEMPTS = 6;

export const DEFAULT_KEY_ALGORITHM = "RSA_2048";

export interface RequestInput {
  readonly cluster: string;
  /** Who decides: the same names, asked for by another claim or after this one was made anew, are another certificate. */
  readonly uid: string;
  readonly names: readonly string[];
  readonly keyAlgorithm: string;
  readonly attempt: number;
  readonly now: number;
}

/** A request as it is remembered before it is made. The token is the same for the same input but for the time. */
export function certificateRequest({
  cluster,
  uid,
  names,
  keyAlgorithm,
  attempt,
  now,
}: RequestInput): CertificateRequest {
  const sorted = names.toSorted();
  const token = hash([cluster, uid, keyAlgorithm, attempt, ...sorted]);
  return { names: sorted, token, keyAlgorithm, attempt, requestedAt: formatTime(now) };
}

/** Whether one of the names is short enough to be a certificate's first. */
export function hasFirstName(names: readonly string[]): boolean {
  return names.some(({ length }) => length <= LONGEST_FIRST);
}

/** What is asked of ACM for a remembered request. The same for every claim that shares it, but for its owner. */
export function certificateOrder(claim: Claim, request: CertificateRequest, cluster: string): CertificateOrder {
  const { names, token, keyAlgorithm } = request;
  const first = names.find(({ length }) => length <= LONGEST_FIRST);
  const single = names.length === 1 && names[0] === claim.spec.hostname;
  const { environment } = wishOf(claim);
  return {
    names: first === undefined ? names : [first, ...names.filter((name) => name !== first)],
    token,
    keyAlgorithm,
    tags: {
      ...ownTags(cluster, claim.spec.zoneId, hash(names)),
      ...(single && {
        hostname: claim.spec.hostname.replace("*", "wildcard"),
        namespace: claim.spec.ownerRef.namespace,
        ...(environment !== undefined && { environment }),
      }),
    },
    owner: ownerOf(claim),
  };
}

/** Whether names of other claims are in the request. */
export function isShared(claim: Claim, { names }: CertificateRequest): boolean {
  return wishOf(claim).certificate?.strategy !== "Wildcard" && names.length > 1;
}

/** How long until a failed request is made anew: longer each time. */
export function pauseBefore(request: CertificateRequest, now: number): number {
  const since = parseTime(request.requestedAt) ?? now;
  const pause = Math.min(FIRST_PAUSE_MS * 4 ** Math.max(0, request.attempt - 1), LONGEST_PAUSE_MS);
  return Math.max(0, since + pause - now);
}

function hash(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
