import { X509Certificate, createHash } from "node:crypto";
import type { DetailedPeerCertificate, PeerCertificate } from "node:tls";
import type { Around } from "./around.ts";

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CHAIN = 8;
const MAX_LEARNED = 64;

/** Says whether a certificate was issued by these authorities, directly or through the chain that the client sent. */
export interface ClientAuthority {
  issued(certificate: PeerCertificate, now: number): boolean;
}

/** What it takes to read authorities. */
export interface ClientAuthorityAround extends Pick<Around, "note" | "kept"> {
  /** The text of a file on the gateway's machine. Throws. */
  readonly readFile: (path: string) => string;
}

/**
 * Reads authorities from a file with PEM. A file without any, or with a damaged one, is noted as an error at `field` that closes the route:
 * then it is undefined. The file is read when the route is compiled.
 */
export function clientAuthority(
  caFile: string,
  field: string,
  around: ClientAuthorityAround,
): ClientAuthority | undefined {
  try {
    const blocks = around.readFile(caFile).match(PEM) ?? [];
    const authorities = blocks.map((block) => new X509Certificate(block));
    if (authorities.length > 0) {
      const content = createHash("sha256").update(blocks.join("\n")).digest("base64");
      return around.kept.of("clientAuthority", caFile, content, () => ({ state: new Authorities(authorities) }));
    }
  } catch {
    // Told below, without the system's words.
  }
  const message = "cannot be read as certificates: the route answers 503";
  around.note({ severity: "error", field, message, closed: true });
  return undefined;
}

/**
 * Authorities, and the ones below them that clients have shown. These are remembered, as long as they are valid: a client that resumes its
 * session shows its own certificate only.
 */
class Authorities implements ClientAuthority {
  readonly #given: readonly X509Certificate[];
  readonly #learned = new Map<string, X509Certificate>();
  /** Connections keep their certificate: each is verified once. */
  readonly #known = new WeakMap<PeerCertificate, boolean>();

  constructor(given: readonly X509Certificate[]) {
    this.#given = given;
  }

  issued(certificate: PeerCertificate, now: number): boolean {
    let issued = this.#known.get(certificate);
    if (issued === undefined) {
      issued = this.#verify(certificate, now);
      this.#known.set(certificate, issued);
    }
    return issued && now >= Date.parse(certificate.valid_from) && now <= Date.parse(certificate.valid_to);
  }

  #verify(certificate: PeerCertificate, now: number): boolean {
    const between: X509Certificate[] = [];
    let at: PeerCertificate | undefined = certificate;
    let current = parsed(certificate);
    while (current !== undefined && at !== undefined && between.length < MAX_CHAIN) {
      const subject = current;
      const isBelow = (authority: X509Certificate): boolean =>
        mayIssue(authority, now) && wasIssuedBy(subject, authority);
      if (this.#given.some(isBelow) || [...this.#learned.values()].some(isBelow)) {
        for (const link of between) this.#learn(link);
        return true;
      }
      at = issuerOf(at);
      current = at === undefined ? undefined : parsed(at);
      // A link counts only when it was really signed by the next one, which must be allowed to sign.
      if (current === undefined || !isBelow(current)) return false;
      between.push(current);
    }
    return false;
  }

  #learn(certificate: X509Certificate): void {
    if (this.#learned.size < MAX_LEARNED) this.#learned.set(certificate.fingerprint256, certificate);
  }
}

function mayIssue(authority: X509Certificate, now: number): boolean {
  return authority.ca && now >= Date.parse(authority.validFrom) && now <= Date.parse(authority.validTo);
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
