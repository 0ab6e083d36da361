import {
  canonicalHost,
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
}

/** Certificates hold from an hour before they are made: clocks differ. What does not hold yet is from a clock that is further ahead. */
export const BACKDATED_MS = 3_600_000;

/**
 * What to keep from now on; the very same value when nothing is to be done. One step at a time: call again with what it gave.
 *
 * A leaf is replaced at two thirds of its life. A new authority is made while the old one can still vouch for two more leaves, is
 * published in the bundle, and signs once it is in the bundle that callers are `known` to have. An authority leaves the bundle when it
 * has ended, and with it the last leaf that it can have signed: none outlives its authority.
 *
 * What a clock that ran ahead has made is made anew: it might hold in a year only. A next authority is so when it is needed. Replicas
 * whose clocks differ by hours do not fight over it, since what the slower clock makes holds by the faster one, too.
 */
export async function nextCertificates(
  kept: KeptCertificates | undefined,
  policy: CertificatePolicy,
  { now, known, random }: { readonly now: number; readonly known: string | undefined; readonly random: Random },
): Promise<KeptCertificates> {
  if (kept === undefined || !holds(kept.authority, now)) return begin(kept, policy, now, random);
  const bundle = pruned(kept.bundle, now);
  if (bundle !== kept.bundle) return { ...kept, bundle };
  const { authority, next, leaf } = kept;
  const ends = certificateFacts(authority.certificate).notAfter;
  const ready = next !== undefined && holds(next, now) ? next : undefined;
  if (ready === undefined && ends - now < 2 * policy.leafLifeMs) {
    const made = newAuthority(policy, now, random);
    return { ...kept, next: made, bundle: kept.bundle + made.certificate };
  }
  if (ready !== undefined && known?.includes(ready.certificate) === true) {
    return { ...kept, authority: ready, next: undefined, leaf: await newLeaf(ready, policy, now, random) };
  }
  const { hosts, notBefore, notAfter } = certificateFacts(leaf.certificate);
  if (!policy.hosts.every((host) => hosts.includes(host))) {
    // Replicas of two versions may want different names: each adds its own, and neither takes those of the other away.
    const both = { ...policy, hosts: [...new Set([...hosts, ...policy.hosts])] };
    return { ...kept, leaf: await newLeaf(authority, both, now, random) };
  }
  const ahead = now < notBefore;
  if (!isIssuedBy(leaf.certificate, authority.certificate) || ahead || (isOld(leaf, now) && notAfter < ends)) {
    return { ...kept, leaf: await newLeaf(authority, policy, now, random) };
  }
  return kept;
}

/** The policy with its hosts as certificates write them. Throws a TypeError when its times cannot work out. */
export function checkedPolicy(policy: CertificatePolicy): CertificatePolicy {
  const { leafLifeMs, authorityLifeMs, hosts } = policy;
  if (hosts.length === 0) throw new TypeError("a certificate needs the names of its server");
  if (leafLifeMs < 4 * BACKDATED_MS) throw new TypeError("a leaf must hold for four hours at least");
  if (authorityLifeMs < 4 * leafLifeMs) throw new TypeError("an authority must hold for four lives of a leaf at least");
  return { ...policy, hosts: hosts.map(canonicalHost) };
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
  const authority = known !== undefined && holds(known, now) ? known : newAuthority(policy, now, random);
  // Others may serve by the authority of before for a moment. What else does not hold yet would only gather here.
  const bundle = certificatesIn(pruned(kept?.bundle ?? "", now))
    .filter((each) => each === kept?.authority.certificate || now >= certificateFacts(each).notBefore)
    .join("");
  return {
    authority,
    next: undefined,
    bundle: bundle.includes(authority.certificate) ? bundle : bundle + authority.certificate,
    leaf: await newLeaf(authority, policy, now, random),
  };
}

function newAuthority({ authorityLifeMs }: CertificatePolicy, now: number, random: Random): KeyPair {
  const subject = { commonName: "gatewright-ca" };
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
    usedBy: ["server", "client"],
    notBefore: now - BACKDATED_MS,
    notAfter: Math.min(now + leafLifeMs, notAfter),
  });
}

function isOld({ certificate }: KeyPair, now: number): boolean {
  const { notBefore, notAfter } = certificateFacts(certificate);
  return now - notBefore >= ((notAfter - notBefore) * 2) / 3;
}

function holds({ certificate }: KeyPair, now: number): boolean {
  return now >= certificateFacts(certificate).notBefore && !hasEnded(certificate, now);
}

function hasEnded(certificate: string, now: number): boolean {
  return now >= certificateFacts(certificate).notAfter;
}

function pruned(bundle: string, now: number): string {
  return certificatesIn(bundle)
    .filter((certificate) => !hasEnded(certificate, now))
    .join("");
}
