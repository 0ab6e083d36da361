import { AwsError } from "../aws-error.ts";
import type { Ground } from "./ground.ts";
import type { ListenerRecord, LoadBalancerRecord } from "./records.ts";

/** Refuses a certificate that a listener cannot serve. */
export function checkCertificate({ certificates }: Ground, arn: string): void {
  if (!certificates.exists(arn)) throw new AwsError("CertificateNotFound", `Certificate '${arn}' not found`);
  if (certificates.serving(arn) === undefined) {
    throw new AwsError(
      "UnsupportedCertificate",
      `The certificate '${arn}' must have a fully-qualified domain name, a supported signature, and a supported key size.`,
    );
  }
}

/**
 * Refuses more certificates than a load balancer may have. Default certificates do not count; one that two listeners have counts
 * once. `changed` is a listener as it would be.
 */
export function holdCertificateLimit(
  { store, quotas }: Ground,
  loadBalancer: LoadBalancerRecord,
  changed: ListenerRecord,
): void {
  const all = [...store.listenersOf(loadBalancer.arn).filter(({ arn }) => arn !== changed.arn), changed];
  const extra = new Set(all.flatMap(({ extraCertificates }) => extraCertificates));
  quotas.hold(
    loadBalancer.type === "application"
      ? "certificates-per-application-load-balancer"
      : "certificates-per-network-load-balancer",
    extra.size,
    "TooManyCertificates",
    `The maximum number of certificates has been reached on load balancer '${loadBalancer.arn}'`,
  );
}
