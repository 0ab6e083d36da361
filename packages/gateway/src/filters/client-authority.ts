import { X509Certificate } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate } from "node:tls";

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CHAIN = 8;

/** Says whether a certificate was issued by one of these authorities, directly or through the chain that the client sent. */
export type IssuedByThese = (certificate: PeerCertificate, now: number) => boolean;

/** Reads authorities from PEM. Undefined: there is none in it, or one cannot be read. */
export function clientAuthority(pem: string): IssuedByThese | undefined {
  const blocks = pem.match(PEM) ?? [];
  let authorities: readonly X509Certificate[];
  try {
    authorities = blocks.map((block) => new X509Certificate(block));
  } catch {
    // A damaged bundle trusts nobody: the caller says so to the user.
    return undefined;
  }
  if (authorities.length === 0) return undefined;
  // Connections keep their certificate: each is verified once.
  const known = new WeakMap<PeerCertificate, boolean>();
  return (certificate, now) => {
    let issued = known.get(certificate);
    if (issued === undefined) {
      issued = isIssued(certificate, authorities);
      known.set(certificate, issued);
    }
    return issued && now >= Date.parse(certificate.valid_from) && now <= Date.parse(certificate.valid_to);
  };
}

function isIssued(certificate: PeerCertificate, authorities: readonly X509Certificate[]): boolean {
  let at: PeerCertificate | undefined = certificate;
  for (let depth = 0; depth < MAX_CHAIN && at !== undefined; depth++) {
    const current: X509Certificate | undefined = parsed(at);
    if (current === undefined) return false;
    if (authorities.some((authority) => authority.ca && wasIssuedBy(current, authority))) return true;
    const next: PeerCertificate | undefined = issuerOf(at);
    if (next === undefined) return false;
    const issuer = parsed(next);
    // A link counts only when it was really signed by the next one, which must be allowed to sign.
    if (issuer === undefined || !issuer.ca || !wasIssuedBy(current, issuer)) return false;
    at = next;
  }
  return false;
}

function wasIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function issuerOf(certificate: PeerCertificate): PeerCertificate | undefined {
  const { issuerCertificate } = certificate as Partial<DetailedPeerCertificate>;
  return issuerCertificate === undefined || issuerCertificate === certificate ? undefined : issuerCertificate;
}

function parsed(certificate: PeerCertificate): X509Certificate | undefined {
  try {
    return new X509Certificate(certificate.raw);
  } catch {
    // Without its bytes a certificate proves nothing.
    return undefined;
  }
}
