import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyPair, Validity } from "./authority.ts";
import { readDer } from "./certificate-der.ts";

/** What a certificate says of itself. */
export interface CertificateFacts extends Validity {
  /** Hexadecimal, upper case. */
  readonly serial: string;
  /** As `CN=…` lines. */
  readonly subject: string;
  readonly issuer: string;
  readonly authority: boolean;
  /** DNS names and IP addresses. */
  readonly hosts: readonly string[];
  readonly uris: readonly string[];
  /** SHA-256 of all of it: two certificates are the same when it is. */
  readonly fingerprint: string;
}

/** Reads the first certificate of a PEM text. Throws when there is none. */
export function certificateFacts(pem: string): CertificateFacts {
  const certificate = new X509Certificate(pem);
  const { hosts, uris } = readDer(certificate.raw);
  return {
    serial: certificate.serialNumber,
    subject: certificate.subject ?? "",
    issuer: certificate.issuer ?? "",
    authority: certificate.ca,
    notBefore: certificate.validFromDate.getTime(),
    notAfter: certificate.validToDate.getTime(),
    hosts,
    uris,
    fingerprint: certificate.fingerprint256,
  };
}

/** Whether the authority's key signed the certificate, and may have. Says nothing of the time. */
export function isIssuedBy(certificate: string, authority: string): boolean {
  const [child, parent] = [new X509Certificate(certificate), new X509Certificate(authority)];
  return parent.ca && child.checkIssued(parent) && child.verify(parent.publicKey);
}

/** Whether the key is the one that the certificate vouches for. Throws when either cannot be read. */
export function isPair({ certificate, key }: KeyPair): boolean {
  return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
}
