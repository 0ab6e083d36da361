import { X509Certificate } from "node:crypto";
import { hostname, networkInterfaces } from "node:os";
import { createCertificateAuthority, loadCertificateAuthority } from "@gatewright/apiserver";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Home } from "./home.ts";
import { isEverywhere } from "./up-options.ts";

export interface ServingCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

/** The certificate of this world for where it listens, from its own authority; made anew when it is about to end. */
export async function servingCertificate(home: Home, host: string): Promise<ServingCertificate> {
  const names = namesOf(host);
  const ports = { clock: systemClock, random: systemRandom };
  const [caCert, caKey] = [home.read("apiserver-ca.crt"), home.read("apiserver-ca.key")];
  const kept = { cert: home.read("serving.crt"), key: home.read("serving.key") };
  if (caCert !== undefined && kept.cert !== undefined && kept.key !== undefined && usable(kept.cert, names)) {
    return { cert: kept.cert, key: kept.key, ca: caCert };
  }
  const known = caCert !== undefined && caKey !== undefined;
  const authority = known
    ? await loadCertificateAuthority({ certificate: caCert, key: caKey }, ports)
    : await createCertificateAuthority(ports);
  if (!known) {
    home.write("apiserver-ca.key", authority.key);
    home.write("apiserver-ca.crt", authority.certificate);
  }
  const { certificate, key } = await authority.issueServing(names);
  home.write("serving.key", key);
  home.write("serving.crt", certificate);
  return { cert: certificate, key, ca: authority.certificate };
}

/** Who listens on all addresses is dialled by any of them, and by the name of the machine. */
function namesOf(host: string): readonly string[] {
  if (!isEverywhere(host)) return [host];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [...new Set([host, hostname(), ...addresses.filter(({ scopeid }) => !scopeid).map(({ address }) => address)])];
}

function usable(pem: string, names: readonly string[]): boolean {
  const certificate = new X509Certificate(pem);
  const isFor = (name: string): boolean =>
    certificate.checkHost(name) !== undefined || certificate.checkIP(name) !== undefined;
  return names.every(isFor) && Date.parse(certificate.validTo) - systemClock.now() > RENEW_BEFORE_MS;
}
