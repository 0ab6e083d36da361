import type { MetricsRegistry, Sample } from "@gatewright/runtime";
import { beyondDefault, MOST_HOSTNAMES } from "../pool/choose-gateway.ts";
import type { GatewayLoad } from "../pool/gateway-load.ts";
import type { PoolGateway } from "../pool/pool-gateways.ts";
import type { HostnameSettings } from "../settings.ts";
import { HOSTNAME_METRICS } from "./hostname-metrics.ts";

/** A Gateway of the pool and what it carries. */
export interface FilledGateway {
  readonly gateway: PoolGateway;
  readonly load: GatewayLoad;
}

/** Tells of the pool at each scrape what `read` says then: nothing while another process leads. */
export function addPoolMetrics(
  metrics: MetricsRegistry,
  read: () => readonly FilledGateway[],
  { limits, listeners, defaultCertificateArn }: HostnameSettings,
): void {
  metrics.sampled({ ...HOSTNAME_METRICS.gateways, type: "gauge" }, () => {
    const counts = new Map<string, number>();
    for (const { gateway } of read()) counts.set(gateway.visibility, (counts.get(gateway.visibility) ?? 0) + 1);
    return Array.from(counts, ([visibility, value]): Sample => ({ labels: [visibility], value }));
  });
  metrics.sampled({ ...HOSTNAME_METRICS.fill, type: "gauge" }, () =>
    read().flatMap(({ gateway: { name }, load }): Sample[] => {
      const ratio = (limit: string, used: number, most: number): Sample => ({
        labels: [name, limit],
        value: most === 0 ? 1 : used / most,
      });
      return [
        ratio("certificates", beyondDefault(load.certificates, defaultCertificateArn), limits.certificates),
        ratio("rules", load.rules, limits.rules),
        ratio("target_groups", load.targetGroups, limits.targetGroups),
        ...(listeners === "gateways" ? [ratio("listeners", load.hostnames, MOST_HOSTNAMES)] : []),
      ];
    }),
  );
}
