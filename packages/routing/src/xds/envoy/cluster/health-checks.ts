import { specMs } from "@gatewright/gateway/rows";
import type { HealthCheckSpec } from "@gatewright/gateway/rows";
import type { HealthCheckSchema } from "@gatewright/gateway-wire/xds";
import { CodecClientType } from "@gatewright/gateway-wire/xds";
import type { BackendDraft } from "../backend-draft.ts";
import { durationOf } from "../packed.ts";
import type { Init } from "../packed.ts";

type Checker = NonNullable<Init<typeof HealthCheckSchema>["healthChecker"]>;

const INTERVAL_MS = 10_000;
const TIMEOUT_MS = 5_000;
const GOOD = { start: 200n, end: 400n };

/** Asks hosts how they are. Those that nobody has asked yet count as not well; ours count as well until they are asked. */
export function healthChecks(
  spec: HealthCheckSpec,
  { isGrpc, host }: { readonly isGrpc: boolean; readonly host: string },
  draft: BackendDraft,
): void {
  if (spec.enabled === false) return;
  draft.lacks("healthCheck", "a host counts as not well until it was asked, and at first one bad answer is enough");
  const intervalMs = Math.max(1, specMs(spec.interval, INTERVAL_MS));
  draft.cluster.healthChecks = [
    {
      interval: durationOf(intervalMs),
      noTrafficInterval: durationOf(intervalMs),
      timeout: durationOf(Math.max(1, specMs(spec.timeout, TIMEOUT_MS))),
      healthyThreshold: spec.healthyThreshold ?? 2,
      unhealthyThreshold: spec.unhealthyThreshold ?? 3,
      healthChecker: checker(spec, isGrpc, host),
    },
  ];
}

/** Where health is asked for, if not at the port of the host. */
export function healthPort(spec: HealthCheckSpec | undefined): number | undefined {
  return spec?.useHTTP === true ? spec.httpPort : spec?.port;
}

/** `host`: whom hosts are asked for. Envoy would ask for the name of the cluster, which is none. */
function checker(spec: HealthCheckSpec, isGrpc: boolean, host: string): Checker {
  if (spec.tcp === true) return { case: "tcpHealthCheck", value: {} };
  const byGrpc = isGrpc ? spec.useHTTP !== true : spec.useGRPC === true;
  if (byGrpc)
    return { case: "grpcHealthCheck", value: { serviceName: spec.service ?? spec.grpcService ?? "", authority: host } };
  const path = (isGrpc ? spec.httpPath : spec.path) ?? "/";
  const codecClientType = CodecClientType.HTTP1;
  return { case: "httpHealthCheck", value: { host, path, expectedStatuses: [GOOD], codecClientType } };
}
