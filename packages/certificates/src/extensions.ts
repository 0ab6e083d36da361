import { createPublicKey, hash } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { TRUE, bits, contentsOf, element, elementsIn, id, integer, octets, sequence } from "./der.ts";
import { ipOctets } from "./ip-octets.ts";

/** By whom a certificate may be shown: a server, a client, or both. */
export type Side = "server" | "client";

/** Names by which the holder of a certificate is known (RFC 5280, 4.2.1.6). */
export interface AlternativeNames {
  /** DNS names, also with a wildcard as their first label; what reads as an IP address becomes an address. */
  readonly hosts?: readonly string[];
  readonly uris?: readonly string[];
}

const SIDES: Readonly<Record<Side, string>> = { server: "1.3.6.1.5.5.7.3.1", client: "1.3.6.1.5.5.7.3.2" };

/** Tags of the kinds of names. */
export const NAME_TAGS = { dns: 0x82, uri: 0x86, ip: 0x87 } as const;

/** Which extension is which. */
export const EXTENSION_IDS = {
  keyIdentifier: "2.5.29.14",
  usage: "2.5.29.15",
  names: "2.5.29.17",
  constraints: "2.5.29.19",
  issuerIdentifier: "2.5.29.35",
  sides: "2.5.29.37",
} as const;

/** The extensions of RFC 5280, section 4.2.1, that our certificates have, as their bytes. */
export const extensions = {
  /** `pathLength`: how many authorities may stand between it and a leaf; undefined: any number. */
  authority: (pathLength: number | undefined): Buffer =>
    extension(
      "constraints",
      sequence(TRUE, ...(pathLength === undefined ? [] : [integer(Buffer.from([pathLength]))])),
      true,
    ),
  noAuthority: (): Buffer => extension("constraints", sequence(), true),
  /** Signing certificates and revocations, and as servers do too, signing: bits 0, 5 and 6, counted from the left. */
  authorityUsage: (): Buffer => extension("usage", bits(Buffer.from([0x86]), 1), true),
  /** Signing; RSA keys also encrypt keys in old versions of TLS: bits 0 and 2. */
  leafUsage: (key: KeyObject): Buffer =>
    extension(
      "usage",
      key.asymmetricKeyType === "rsa" ? bits(Buffer.from([0xa0]), 5) : bits(Buffer.from([0x80]), 7),
      true,
    ),
  usedBy: (sides: readonly Side[]): Buffer => extension("sides", sequence(...sides.map((side) => id(SIDES[side])))),
  names: ({ hosts = [], uris = [] }: AlternativeNames, critical: boolean): Buffer =>
    extension("names", sequence(...hosts.map(hostName), ...uris.map((uri) => ia5(NAME_TAGS.uri, uri))), critical),
  keyIdentifier: (key: KeyObject): Buffer => extension("keyIdentifier", octets(keyIdentifier(key))),
  issuerIdentifier: (identifier: Uint8Array): Buffer =>
    extension("issuerIdentifier", sequence(element(0x80, identifier))),
};

/** The public key as X.509 has it. */
export function publicKeyOf(key: KeyObject): Buffer {
  return (key.type === "private" ? createPublicKey(key) : key).export({ type: "spki", format: "der" });
}

function extension(name: keyof typeof EXTENSION_IDS, value: Buffer, critical = false): Buffer {
  return sequence(id(EXTENSION_IDS[name]), ...(critical ? [TRUE] : []), octets(value));
}

function hostName(host: string): Buffer {
  const address = ipOctets(host);
  return address === undefined ? ia5(NAME_TAGS.dns, host) : element(NAME_TAGS.ip, address);
}

/** Names are ASCII in certificates: others would be read in more than one way. */
function ia5(tag: number, text: string): Buffer {
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new TypeError(`${JSON.stringify(text)} is no name that a certificate can hold`);
  return element(tag, Buffer.from(text, "latin1"));
}

/** The hash of the key's bits, without the byte that counts unused ones (RFC 5280, 4.2.1.2). */
function keyIdentifier(key: KeyObject): Buffer {
  const point = elementsIn(publicKeyOf(key))[1];
  if (point === undefined) throw new TypeError("a public key without bits");
  return hash("sha1", contentsOf(point).subarray(1), "buffer");
}
