import {
  certificateFacts,
  certificatesIn,
  createAuthority,
  isIssuedBy,
  isPair,
  loadAuthority,
} from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import type { Random } from "@gatewright/ports";

/** What the replicas of a server share: who signs, who will, who is trusted, and the certificate that all of them serve with. */
export interface KeptCertificates {
  readonly authority: KeyPair;
  /** Trusted already, and signs as soon as all callers know it. */
  readonly next: KeyPair | undefined;
  /** PEM of all authorities that callers should trust. */
  readonly bundle: string;
  readonly leaf: KeyPair;
}

export interface CertificatePolicy {
  /** How callers reach the server: DNS names and addresses. */
  readonly hosts: readonly string[];
  readonly leafLifeMs: number;
  /** More than four lives of a leaf, so that a new authority is known long before it must sign. */
  readonly authorityLifeMs: number;
  /** How long a new authority is in the bundle, at least, before it signs: until every API server has heard of it. */
  readonly overlapMs: number;
}

/** Certificates hold from an hour before they are made: clocks differ. */
const BACKDATED_MS = 3_600_000;

/**
 * What to keep from now on; the very same value when nothing is to be done. One step at a time: call again with what it gave.
 *
 * A leaf is replaced at two thirds of its life. A new authority is made while the old one can still vouch for two more leaves, is
 * published in the bundle, and signs once `confirmed` says that callers have it, and the overlap has passed. An authority leaves the
 * bundle when it has ended, and with it the last leaf that it can have signed: none outlives its authority.
 */
export async function nextCertificates(
  kept: KeptCertificates | undefined,
  policy: CertificatePolicy,
  { now, confirmed, random }: { readonly now: number; readonly confirmed: string | undefined; readonly random: Random },
): Promise<KeptCertificates> {
  if (kept === undefined || hasEnded(kept.authority.certificate, now)) return begin(kept, policy, now, random);
  const bundle = pruned(kept.bundle, now);
  if (bundle !== kept.bundle) return { ...kept, bundle };
  const { authority, next, leaf } = kept;
  const ends = certificateFacts(authority.certificate).notAfter;
  if (next === undefined && ends - now < 2 * policy.leafLifeMs) {
    const made = newAuthority(policy, now, random);
    return { ...kept, next: made, bundle: kept.bundle + made.certificate };
  }
  if (next !== undefined && maySign(next, leaf, policy, now, confirmed)) {
    return { ...kept, authority: next, next: undefined, leaf: await newLeaf(next, policy, now, random) };
  }
  if (!isGoodLeaf(kept, policy) || (isOld(leaf, now) && certificateFacts(leaf.certificate).notAfter < ends)) {
    return { ...kept, leaf: await newLeaf(authority, policy, now, random) };
  }
  return kept;
}

/** Whether keys and certificates belong together as they should. What fails this was not written by us. */
export function isSound({ authority, next, bundle, leaf }: KeptCertificates): boolean {
  const trusted = certificatesIn(bundle);
  const vouched = (pair: KeyPair): boolean => isPair(pair) && trusted.includes(pair.certificate);
  return vouched(authority) && (next === undefined || vouched(next)) && isPair(leaf);
}

async function begin(
  kept: KeptCertificates | undefined,
  policy: CertificatePolicy,
  now: number,
  random: Random,
): Promise<KeptCertificates> {
  const known = kept?.next;
  const authority =
    known !== undefined && !hasEnded(known.certificate, now) ? known : newAuthority(policy, now, random);
  const bundle = pruned(kept?.bundle ?? "", now);
  return {
    authority,
    next: undefined,
    bundle: bundle.includes(authority.certificate) ? bundle : bundle + authority.certificate,
    leaf: await newLeaf(authority, policy, now, random),
  };
}

/** The new authority signs when callers know it, or when the leaf of the old one has ended and nothing is left to lose. */
function maySign(
  next: KeyPair,
  leaf: KeyPair,
  { overlapMs }: CertificatePolicy,
  now: number,
  confirmed: string | undefined,
): boolean {
  if (hasEnded(leaf.certificate, now)) return true;
  const published = certificateFacts(next.certificate).notBefore + BACKDATED_MS;
  return now - published >= overlapMs && confirmed !== undefined && confirmed.includes(next.certificate);
}

function newAuthority({ authorityLifeMs }: CertificatePolicy, now: number, random: Random): KeyPair {
  const subject = { commonName: "gatewright-webhook-ca" };
  const validity = { notBefore: now - BACKDATED_MS, notAfter: now + authorityLifeMs };
  const { certificate, key } = createAuthority({ subject, ...validity }, random);
  return { certificate, key };
}

function newLeaf(
  authority: KeyPair,
  { hosts, leafLifeMs }: CertificatePolicy,
  now: number,
  random: Random,
): Promise<KeyPair> {
  const { notAfter } = certificateFacts(authority.certificate);
  return loadAuthority(authority, random).issue({
    names: { hosts },
    usedBy: ["server"],
    notBefore: now - BACKDATED_MS,
    notAfter: Math.min(now + leafLifeMs, notAfter),
  });
}

function isGoodLeaf({ authority, leaf }: KeptCertificates, { hosts }: CertificatePolicy): boolean {
  const named = new Set(certificateFacts(leaf.certificate).hosts);
  return isIssuedBy(leaf.certificate, authority.certificate) && hosts.every((host) => named.has(host));
}

function isOld({ certificate }: KeyPair, now: number): boolean {
  const { notBefore, notAfter } = certificateFacts(certificate);
  return now - notBefore >= ((notAfter - notBefore) * 2) / 3;
}

function hasEnded(certificate: string, now: number): boolean {
  return now >= certificateFacts(certificate).notAfter;
}

function pruned(bundle: string, now: number): string {
  return certificatesIn(bundle)
    .filter((certificate) => !hasEnded(certificate, now))
    .join("");
}
