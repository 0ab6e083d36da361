import { X509Certificate } from "node:crypto";
import type { PeerCertificate } from "node:tls";
import type { Around } from "./around.ts";

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Says whether a certificate is valid and was issued by one of these authorities. */
export interface ClientAuthority {
  issued(certificate: PeerCertificate, now: number): boolean;
}

/** What it takes to read authorities. */
export interface ClientAuthorityAround extends Pick<Around, "note"> {
  /** The text of a file on the gateway's machine. Throws. */
  readonly readFile: (path: string) => string;
}

/**
 * Reads the authorities that issue clients' certificates from a file with PEM. Those in between have to be in it: the runtime shows a client's
 * own certificate and not its chain. A file without any, or with a damaged one, is noted as an error at `field` that closes the route: then
 * it is undefined. The file is read when the route is compiled.
 */
export function clientAuthority(
  caFile: string,
  field: string,
  around: ClientAuthorityAround,
): ClientAuthority | undefined {
  try {
    const blocks = around.readFile(caFile).match(PEM) ?? [];
    const authorities = blocks.map((block) => new X509Certificate(block));
    if (authorities.length > 0) return authorityOf(authorities);
  } catch {
    // Told below, without the system's words.
  }
  const message = "cannot be read as certificates: the route answers 503";
  around.note({ severity: "error", field, message, closed: true });
  return undefined;
}

function authorityOf(authorities: readonly X509Certificate[]): ClientAuthority {
  // Connections keep their certificate: each is verified once.
  const known = new WeakMap<PeerCertificate, boolean>();
  return {
    issued(certificate, now) {
      let issued = known.get(certificate);
      if (issued === undefined) {
        issued = isIssued(certificate, authorities, now);
        known.set(certificate, issued);
      }
      return issued && now >= Date.parse(certificate.valid_from) && now <= Date.parse(certificate.valid_to);
    },
  };
}

function isIssued(certificate: PeerCertificate, authorities: readonly X509Certificate[], now: number): boolean {
  let own: X509Certificate;
  try {
    own = new X509Certificate(certificate.raw);
  } catch {
    // Without its bytes a certificate proves nothing.
    return false;
  }
  return authorities.some((authority) => {
    const isValid = authority.ca && now >= Date.parse(authority.validFrom) && now <= Date.parse(authority.validTo);
    return isValid && own.checkIssued(authority) && own.verify(authority.publicKey);
  });
}
