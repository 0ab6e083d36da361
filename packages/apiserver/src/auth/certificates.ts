import { createPrivateKey, webcrypto } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { parseIP } from "@gatewright/kube";
import type * as X509 from "@peculiar/x509";
import type { Clock, Random } from "@gatewright/ports";
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
const SIGNING = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Loaded when first needed: a server without TLS never pays for it. */
async function loadX509(): Promise<typeof X509> {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

async function webKeys(key: KeyObject): Promise<webcrypto.CryptoKeyPair> {
  const jwk = key.export({ format: "jwk" });
  const { d: _secret, ...publicJwk } = jwk;
  const privateKey = await webcrypto.subtle.importKey("jwk", jwk, SIGNING, true, ["sign"]);
  const publicKey = await webcrypto.subtle.importKey("jwk", publicJwk, SIGNING, true, ["verify"]);
  return { privateKey, publicKey };
}

/** A positive serial number of 16 bytes that does not start with zeros. */
function serialNumber(random: Random): string {
  const bytes = random.bytes(16);
  bytes[0] = (bytes[0]! & 0x3f) | 0x40;
  return Buffer.from(bytes).toString("hex");
}

/** A new authority, valid for ten years. */
export async function createCertificateAuthority(options: CertificateOptions): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const key = createEllipticKey(options.random);
  const now = options.clock.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(options.random),
    name: [{ CN: ["gatewright-ca"] }],
    notBefore: new Date(now - HOUR_MS),
    notAfter: new Date(now + 10 * YEAR_MS),
    keys: await webKeys(key),
    signingAlgorithm: SIGNING,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create((await webKeys(key)).publicKey),
    ],
  });
  return loadCertificateAuthority({ certificate: certificate.toString("pem"), key: pemOf(key) }, options);
}

/** An authority that was created before. The key must be the P-256 key of the certificate. */
export async function loadCertificateAuthority(
  pair: KeyPair,
  { clock, random }: CertificateOptions,
): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  const authority = new x509.X509Certificate(pair.certificate);
  const signer = await webKeys(createPrivateKey(pair.key));

  async function issue(
    subject: readonly Record<string, string[]>[],
    usage: string,
    hosts: readonly string[],
  ): Promise<KeyPair> {
    const key = createEllipticKey(random);
    const { publicKey } = await webKeys(key);
    const now = clock.now();
    const alternatives = hosts.map((host) => ({
      type: parseIP(host) ? ("ip" as const) : ("dns" as const),
      value: host,
    }));
    const certificate = await x509.X509CertificateGenerator.create({
      serialNumber: serialNumber(random),
      subject: [...subject],
      issuer: authority.subject,
      notBefore: new Date(now - HOUR_MS),
      notAfter: new Date(now + YEAR_MS),
      publicKey,
      signingKey: signer.privateKey,
      signingAlgorithm: SIGNING,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
        await x509.AuthorityKeyIdentifierExtension.create(signer.publicKey),
      ],
    });
    return { certificate: certificate.toString("pem"), key: pemOf(key) };
  }

  return {
    ...pair,
    issueServing: (hosts = []) =>
      issue([{ CN: ["kube-apiserver"] }], x509.ExtendedKeyUsage.serverAuth, [...new Set([...SERVING_HOSTS, ...hosts])]),
    issueClient: ({ commonName, organizations = [] }) =>
      issue(
        [...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }],
        x509.ExtendedKeyUsage.clientAuth,
        [],
      ),
  };
}
