import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { Clock, Random } from "@gatewright/ports";
import { elementsIn } from "./der.ts";
import { distinguishedName, extensions, signCertificate } from "./sign-certificate.ts";
import { createEllipticKey } from "./tokens/elliptic-key.ts";

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Signs certificates that its own certificate vouches for. */
export interface CertificateAuthority extends KeyPair {
  /** For a server. Names and addresses besides those by which a local cluster is always reached. */
  issueServing(hosts?: readonly string[]): Promise<KeyPair>;
  /** For a client: the common name is the user, the organizations are its groups. */
  issueClient(user: { readonly commonName: string; readonly organizations?: readonly string[] }): Promise<KeyPair>;
}

export interface CertificateOptions {
  readonly clock: Clock;
  readonly random: Random;
}

/** How this server is reached from the machine that it runs on and from inside a cluster. */
const SERVING_HOSTS = [
  "localhost",
  "127.0.0.1",
  "::1",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** A positive serial number of 16 bytes that does not start with zeros. */
function serialNumber(random: Random): Uint8Array {
  const bytes = random.bytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return bytes;
}

/** A new authority, valid for ten years. */
export async function createCertificateAuthority(options: CertificateOptions): Promise<CertificateAuthority> {
  const { clock, random } = options;
  const key = createEllipticKey(random);
  const name = distinguishedName([["CN", "gatewright-ca"]]);
  const now = clock.now();
  const contents = {
    serial: serialNumber(random),
    issuer: name,
    subject: name,
    key,
    notBefore: now - HOUR_MS,
    notAfter: now + 10 * YEAR_MS,
    extensions: [extensions.authority(), extensions.usage(true), extensions.keyIdentifier(key)],
  };
  return loadCertificateAuthority({ certificate: signCertificate(contents, key), key: pemOf(key) }, options);
}

/** An authority that was created before. The key must be the P-256 key of the certificate. */
export async function loadCertificateAuthority(
  pair: KeyPair,
  { clock, random }: CertificateOptions,
): Promise<CertificateAuthority> {
  const signer = createPrivateKey(pair.key);
  const issuer = subjectOf(pair.certificate);

  function issue(subject: Buffer, side: "server" | "client", hosts: readonly string[]): KeyPair {
    const key = createEllipticKey(random);
    const now = clock.now();
    const contents = {
      serial: serialNumber(random),
      issuer,
      subject,
      key,
      notBefore: now - HOUR_MS,
      notAfter: now + YEAR_MS,
      extensions: [
        extensions.noAuthority(),
        extensions.usage(false),
        extensions.usedBy(side),
        ...(hosts.length > 0 ? [extensions.hosts(hosts)] : []),
        extensions.issuerIdentifier(signer),
      ],
    };
    return { certificate: signCertificate(contents, signer), key: pemOf(key) };
  }

  return {
    ...pair,
    issueServing: async (hosts = []) =>
      issue(distinguishedName([["CN", "kube-apiserver"]]), "server", [...new Set([...SERVING_HOSTS, ...hosts])]),
    issueClient: async ({ commonName, organizations = [] }) =>
      issue(
        distinguishedName([...organizations.map((name) => ["O", name] as const), ["CN", commonName]]),
        "client",
        [],
      ),
  };
}

/** The subject as its bytes: clients compare them with the issuer's. */
function subjectOf(pem: string): Buffer {
  const [signed] = elementsIn(new X509Certificate(pem).raw);
  const subject = signed && elementsIn(signed)[5];
  if (!subject) throw new Error("the authority's certificate has no subject");
  return subject;
}
