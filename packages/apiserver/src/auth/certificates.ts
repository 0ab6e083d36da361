import { createAuthority, loadAuthority } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import type { Clock, Random } from "@gatewright/ports";

export type { KeyPair } from "@gatewright/certificates";

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

/** A new authority, valid for ten years. */
export async function createCertificateAuthority(options: CertificateOptions): Promise<CertificateAuthority> {
  const now = options.clock.now();
  const validity = { notBefore: now - HOUR_MS, notAfter: now + 10 * YEAR_MS };
  return loadCertificateAuthority(
    createAuthority({ subject: { commonName: "gatewright-ca" }, ...validity }, options.random),
    options,
  );
}

/** An authority that was created before. The key must be that of the certificate. */
export async function loadCertificateAuthority(
  { certificate, key }: KeyPair,
  { clock, random }: CertificateOptions,
): Promise<CertificateAuthority> {
  const authority = loadAuthority({ certificate, key }, random);
  const validity = () => ({ notBefore: clock.now() - HOUR_MS, notAfter: clock.now() + YEAR_MS });
  return {
    certificate,
    key,
    issueServing: (hosts = []) =>
      authority.issue({
        subject: { commonName: "kube-apiserver" },
        names: { hosts: [...new Set([...SERVING_HOSTS, ...hosts])] },
        usedBy: ["server"],
        ...validity(),
      }),
    issueClient: (user) => authority.issue({ subject: user, usedBy: ["client"], ...validity() }),
  };
}
