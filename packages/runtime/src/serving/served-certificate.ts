import type { Server } from "node:https";
import type { SecureContextOptions } from "node:tls";
import type { Log } from "@gatewright/telemetry";
import type { CertificateSource } from "../webhook/certificate/certificate-source.ts";

/** What a server begins with: the certificate that there is now. */
export function contextOf(certificates: CertificateSource): SecureContextOptions {
  const { certificate, key } = certificates.current() ?? { certificate: "", key: "" };
  return { cert: certificate, key, minVersion: "TLSv1.2" };
}

/** Serves with each new certificate from the next connection on, without touching those that are open. Returns how to end that. */
export function followCertificates(server: Server, certificates: CertificateSource, log: Log): () => void {
  return certificates.subscribe(() => {
    try {
      server.setSecureContext(contextOf(certificates));
    } catch (error) {
      log.error("A new certificate cannot be served with; the one before stays", { error });
    }
  });
}
