import { createPublicKey, hash, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { parseIP } from "@gatewright/kube";
import { TRUE, bits, element, id, integer, octets, sequence, set, text, time } from "./der.ts";

/** What a certificate says. Names and keys are DER. */
export interface CertificateContents {
  /** Positive, most significant byte first. */
  readonly serial: Uint8Array;
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** The key that is vouched for; of a private key its public part. */
  readonly key: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  /** The bytes of each extension, as {@link extensions} makes them. */
  readonly extensions: readonly Buffer[];
}

const ECDSA_SHA256 = sequence(id("1.2.840.10045.4.3.2"));
const NAME_PARTS = { CN: "2.5.4.3", O: "2.5.4.10" } as const;
const EXTENDED_USAGES = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" } as const;

/** The name of a subject or an issuer. */
export function distinguishedName(parts: readonly (readonly [keyof typeof NAME_PARTS, string])[]): Buffer {
  return sequence(...parts.map(([part, value]) => set(sequence(id(NAME_PARTS[part]), text(value)))));
}

/** The extensions of RFC 5280, section 4.2.1, that a cluster's certificates have. */
export const extensions = {
  authority: (): Buffer => extension("2.5.29.19", sequence(TRUE), true),
  noAuthority: (): Buffer => extension("2.5.29.19", sequence(), true),
  /** Signing, and for an authority also signing certificates: bits 0 and 5, counted from the left. */
  usage: (authority: boolean): Buffer =>
    extension("2.5.29.15", authority ? bits(Buffer.from([0x84]), 2) : bits(Buffer.from([0x80]), 7), true),
  usedBy: (side: keyof typeof EXTENDED_USAGES): Buffer => extension("2.5.29.37", sequence(id(EXTENDED_USAGES[side]))),
  hosts: (hosts: readonly string[]): Buffer => extension("2.5.29.17", sequence(...hosts.map(hostName))),
  keyIdentifier: (key: KeyObject): Buffer => extension("2.5.29.14", octets(keyIdentifier(key))),
  issuerIdentifier: (key: KeyObject): Buffer => extension("2.5.29.35", sequence(element(0x80, keyIdentifier(key)))),
};

/** Signs with a P-256 key. Gives PEM. */
export function signCertificate(contents: CertificateContents, signer: KeyObject): string {
  const signed = sequence(
    // Version 3, the one with extensions.
    element(0xa0, integer(Buffer.from([2]))),
    integer(contents.serial),
    ECDSA_SHA256,
    contents.issuer,
    sequence(time(contents.notBefore), time(contents.notAfter)),
    contents.subject,
    publicKeyOf(contents.key),
    element(0xa3, sequence(...contents.extensions)),
  );
  const certificate = sequence(signed, ECDSA_SHA256, bits(sign("sha256", signed, signer)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

function extension(name: string, value: Buffer, critical = false): Buffer {
  return sequence(id(name), ...(critical ? [TRUE] : []), octets(value));
}

function hostName(host: string): Buffer {
  const address = parseIP(host);
  return address ? element(0x87, Buffer.from(address.bytes)) : element(0x82, Buffer.from(host));
}

function publicKeyOf(key: KeyObject): Buffer {
  return (key.type === "private" ? createPublicKey(key) : key).export({ type: "spki", format: "der" });
}

/** How the point of a P-256 key ends its DER form: 65 bytes. */
const POINT_BYTES = 65;

function keyIdentifier(key: KeyObject): Buffer {
  return hash("sha1", publicKeyOf(key).subarray(-POINT_BYTES), "buffer");
}
