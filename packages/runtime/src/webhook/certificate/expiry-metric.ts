import { certificateFacts } from "@gatewright/certificates";
import type { Metrics } from "@gatewright/telemetry";
import { CERTIFICATE_METRICS } from "../../telemetry/metric-definitions.ts";
import type { CertificateSource } from "./certificate-source.ts";

/** Tells at each scrape when the certificate of a source ends: NaN while it has none. `name`: what the certificate is for. */
export function addExpiryMetric(metrics: Metrics, name: string, source: Pick<CertificateSource, "current">): void {
  const read = (): number => {
    const pair = source.current();
    return pair === undefined ? Number.NaN : certificateFacts(pair.certificate).notAfter / 1000;
  };
  metrics.gauge(CERTIFICATE_METRICS.expiry).from(read, [name]);
}
