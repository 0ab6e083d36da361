import type { AwsWorld } from "../world.ts";
import type { CertificateRecord } from "./records.ts";

/** How long after a request nothing can be learnt of the certificate, where reads lag. */
const LAG_MS = 2000;

/** Whether reads know of a certificate. Who was given its ARN can do all else with it at once. */
export function isKnown({ type, createdAt }: CertificateRecord, { clock, pace }: AwsWorld): boolean {
  return !pace.lag || type !== "AMAZON_ISSUED" || clock.now() >= createdAt + LAG_MS * pace.durations;
}
