import { sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { NULL, bits, element, id, integer, sequence, time } from "./der.ts";
import { publicKeyOf } from "./extensions.ts";
import { pemText } from "./pem.ts";

/** What a certificate says. Names are DER. */
export interface CertificateContents {
  /** Positive, most significant byte first. */
  readonly serial: Uint8Array;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** The key that is vouched for; of a private key its public part. */
  readonly key: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  /** The bytes of each extension. */
  readonly extensions: readonly Buffer[];
}

const ECDSA_SHA256 = sequence(id("1.2.840.10045.4.3.2"));
const RSA_SHA256 = sequence(id("1.2.840.113549.1.1.11"), NULL);

/** Signs with an elliptic or an RSA key. Gives PEM. */
export function signCertificate(contents: CertificateContents, signer: KeyObject): string {
  const algorithm = signer.asymmetricKeyType === "rsa" ? RSA_SHA256 : ECDSA_SHA256;
  const signed = sequence(
    // Version 3, the one with extensions.
    element(0xa0, integer(Buffer.from([2]))),
    integer(contents.serial),
    algorithm,
    contents.issuer,
    sequence(time(contents.notBefore), time(contents.notAfter)),
    contents.subject,
    publicKeyOf(contents.key),
    element(0xa3, sequence(...contents.extensions)),
  );
  return pemText("CERTIFICATE", sequence(signed, algorithm, bits(sign("sha256", signed, signer))));
}
