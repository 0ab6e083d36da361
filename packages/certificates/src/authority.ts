import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Random } from "@gatewright/ports";
import { readDer } from "./certificate-der.ts";
import { createEllipticKey } from "./elliptic-key.ts";
import { extensions } from "./extensions.ts";
import type { AlternativeNames, Side } from "./extensions.ts";
import { createRsaKey } from "./rsa-key.ts";
import { signCertificate } from "./sign-certificate.ts";
import { distinguishedName } from "./subject.ts";
import type { Subject } from "./subject.ts";

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** When a certificate holds, in milliseconds since the epoch; seconds are what it can tell. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

export interface AuthorityRequest extends Validity {
  readonly subject: Subject;
  /** How many authorities may stand between it and a leaf. Default: 0, it signs leaves only. `"any"`: no limit. */
  readonly pathLength?: number | "any";
}

export interface LeafRequest extends Validity {
  /** Default: empty; the names are what counts then. */
  readonly subject?: Subject;
  readonly names?: AlternativeNames;
  readonly usedBy: readonly Side[];
  /** Default: `P-256`. RSA keys come from the machine's own randomness and take a tenth of a second. */
  readonly keyType?: "P-256" | "RSA-2048";
}

/** Signs certificates that its own certificate vouches for. */
export interface Authority extends KeyPair {
  /** A new key and its certificate. */
  issue(leaf: LeafRequest): Promise<KeyPair>;
}

/** A new authority with a P-256 key, signed by itself. */
export function createAuthority(request: AuthorityRequest, random: Random): Authority {
  const { subject, notBefore, notAfter, pathLength = 0 } = request;
  const key = createEllipticKey(random);
  const name = distinguishedName(subject);
  const contents = {
    serial: serialNumber(random),
    issuer: name,
    subject: name,
    key,
    notBefore,
    notAfter,
    extensions: [
      extensions.authority(pathLength === "any" ? undefined : pathLength),
      extensions.authorityUsage(),
      extensions.keyIdentifier(key),
    ],
  };
  return loadAuthority({ certificate: signCertificate(contents, key), key: pemOf(key) }, random);
}

/** An authority that was created before, or elsewhere with an elliptic or RSA key. Throws if the key is not the certificate's. */
export function loadAuthority(pair: KeyPair, random: Random): Authority {
  const signer = createPrivateKey(pair.key);
  const certificate = new X509Certificate(pair.certificate);
  if (!certificate.checkPrivateKey(signer))
    throw new TypeError("the key is not the one of the authority's certificate");
  const { subject: issuer, keyIdentifier } = readDer(certificate.raw);
  return {
    certificate: pair.certificate,
    key: pair.key,
    async issue({ subject = {}, names = {}, usedBy, keyType = "P-256", notBefore, notAfter }) {
      const key = keyType === "P-256" ? createEllipticKey(random) : await createRsaKey();
      const nameless = subject.commonName === undefined && (subject.organizations ?? []).length === 0;
      const named = (names.hosts ?? []).length > 0 || (names.uris ?? []).length > 0;
      const contents = {
        serial: serialNumber(random),
        issuer,
        subject: distinguishedName(subject),
        key,
        notBefore,
        notAfter,
        extensions: [
          extensions.noAuthority(),
          extensions.leafUsage(key),
          extensions.usedBy(usedBy),
          ...(named ? [extensions.names(names, nameless)] : []),
          extensions.keyIdentifier(key),
          ...(keyIdentifier === undefined ? [] : [extensions.issuerIdentifier(keyIdentifier)]),
        ],
      };
      return { certificate: signCertificate(contents, signer), key: pemOf(key) };
    },
  };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** A positive serial number of 16 bytes that does not start with zeros. */
function serialNumber(random: Random): Uint8Array {
  const bytes = random.bytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}
