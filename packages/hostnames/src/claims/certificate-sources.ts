import type { Certificate } from "@gatewright/aws";
import { parseTime } from "@gatewright/kube";
import { DomainClaim } from "@gatewright/resources";
import { claimName, covers, wildcardOver } from "../names/index.ts";
import { isOver } from "./certificate-names.ts";
import { DEFAULT_KEY_ALGORITHM, isShared, LONG_VALIDATION_MS } from "./certificate-request.ts";
import { ownerOf, wishOf } from "./claim.ts";
import type { CertificateRequest, Claim } from "./claim.ts";
import { BY_REQUESTED_NAME } from "./indexes.ts";
import type { CertificateSources, Known } from "./observation.ts";
import { isOwn } from "./own-tags.ts";
import type { Cached, ClaimWorld } from "./world.ts";

/** What became of the certificates that a claim has had so far. */
export interface Past {
  /** The one that it has now. */
  readonly current: Known | undefined;
  /** Names of it that are not validated. */
  readonly lost: readonly string[];
  /** Whether ACM gave up on it, or on what was to replace it. */
  readonly failed: boolean;
}

/**
 * Where a claim can get a certificate, by its strategy: one that covers the name, own ones first; the request of a claim that named
 * this one; or one together with those that wait too. A name whose certificate failed shares none: it would take others with it.
 */
export function certificateSources(
  world: ClaimWorld,
  cached: Cached,
  claim: Claim,
  { current, lost, failed }: Past,
): CertificateSources {
  const { strategy = "Reuse", keyAlgorithm = DEFAULT_KEY_ALGORITHM } = wishOf(claim).certificate ?? {};
  const { hostname, zoneId } = claim.spec;
  const reusable =
    strategy === "Reuse" || strategy === "Wildcard" ? findReusable(world, cached, claim, current, lost) : undefined;
  if (reusable !== undefined) return { reusable, joinable: undefined, gathered: undefined };
  const mayShare = strategy === "Reuse" || strategy === "Bundle";
  const alone = strategy === "Single" || (mayShare && failed);
  const joinable = alone ? undefined : findJoinable(world, cached, claim, strategy, lost);
  const shares = mayShare && !alone;
  if (alone) world.bundler.leave(hostname);
  const gathered =
    shares && joinable === undefined
      ? world.bundler.gather(
          `${zoneId} ${keyAlgorithm}`,
          hostname,
          world.clock.monotonic(),
          world.settings.namesPerCertificate,
        )
      : undefined;
  return { reusable, joinable, gathered };
}

/**
 * Names of a certificate that is being validated for which there is no claim any more, or one that has its own certificate; and those that
 * ACM has waited for long when this claim's own is proven. Wildcards over the name itself never are.
 */
export function lostNames(
  cached: Cached,
  claim: Claim,
  certificate: Known | undefined,
  now: number,
): readonly string[] {
  if (typeof certificate !== "object" || certificate.status !== "PENDING_VALIDATION") return [];
  const lost = lostAmong(cached, certificate.names, claim.spec.hostname);
  return lost.length > 0 ? lost : slowNames(claim, certificate, now);
}

function slowNames(claim: Claim, { validations = [] }: Certificate, now: number): readonly string[] {
  const request = claim.status?.certificate?.request;
  const since = parseTime(request?.requestedAt ?? "");
  if (request === undefined || since === undefined || !isShared(claim, request)) return [];
  const open = validations.filter(({ status }) => status !== "SUCCESS").map(({ name }) => name);
  const isProven = validations.length > 0 && !open.some((name) => covers(name, claim.spec.hostname));
  return isProven && now - since >= LONG_VALIDATION_MS ? open : [];
}

function lostAmong(cached: Cached, names: readonly string[], hostname: string): readonly string[] {
  return names.filter((name) => {
    if (covers(name, hostname)) return false;
    const claim = cached(DomainClaim).get({ name: claimName(name) });
    return claim?.status?.released !== undefined || claim === undefined || wishOf(claim).certificate?.arn !== undefined;
  });
}

function findReusable(
  { certificates, settings }: ClaimWorld,
  cached: Cached,
  claim: Claim,
  current: Known | undefined,
  lost: readonly string[],
): Certificate | "unknown" | undefined {
  const { hostname } = claim.spec;
  const { strategy, keyAlgorithm } = wishOf(claim).certificate ?? {};
  const wildcard = strategy === "Wildcard" ? (wildcardOver(hostname) ?? hostname) : undefined;
  // ACM renews no other, and browsers need not trust them.
  const suits = (each: Certificate): boolean =>
    each !== current &&
    each.type === "AMAZON_ISSUED" &&
    (keyAlgorithm === undefined || each.keyAlgorithm === keyAlgorithm) &&
    (wildcard === undefined || each.names.includes(wildcard));
  const issued = certificates.covering(hostname, "ISSUED", ownerOf(claim));
  const pending = certificates.covering(hostname, "PENDING_VALIDATION", ownerOf(claim));
  if (issued === "unknown" || pending === "unknown") return "unknown";
  return (
    issued.find(suits) ??
    pending.find(
      (each) =>
        suits(each) &&
        isOwn(each, settings.cluster) &&
        !each.names.some((name) => lost.includes(name)) &&
        lostAmong(cached, each.names, hostname).length === 0,
    )
  );
}

/** A request that names this claim's hostname, made since this claim's own and not known to have failed. */
function findJoinable(
  { certificates }: ClaimWorld,
  cached: Cached,
  claim: Claim,
  strategy: string,
  lost: readonly string[],
): CertificateRequest | undefined {
  const { hostname } = claim.spec;
  const { keyAlgorithm = DEFAULT_KEY_ALGORITHM } = wishOf(claim).certificate ?? {};
  const own = claim.status?.certificate?.request;
  const name = strategy === "Wildcard" ? (wildcardOver(hostname) ?? hostname) : hostname;
  for (const other of cached(DomainClaim).byIndex(BY_REQUESTED_NAME, name)) {
    const { request, arn } = other.status?.certificate ?? {};
    if (request === undefined || other.metadata.uid === claim.metadata.uid || request.keyAlgorithm !== keyAlgorithm)
      continue;
    if (own !== undefined && !isNewer(request, own)) continue;
    if (request.names.some((each) => lost.includes(each))) continue;
    if (lostAmong(cached, request.names, hostname).length > 0) continue;
    const known = arn === undefined ? "unknown" : certificates.get(arn);
    if (known === "absent" || (typeof known === "object" && isOver(known))) continue;
    return request;
  }
  return undefined;
}

/** Times of statuses are cut to seconds, so the attempt tells too. */
function isNewer(request: CertificateRequest, own: CertificateRequest): boolean {
  return request.token !== own.token && (request.requestedAt > own.requestedAt || request.attempt > own.attempt);
}
