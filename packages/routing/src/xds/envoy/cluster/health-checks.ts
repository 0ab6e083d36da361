import { specMs } from "@gatewright/gateway/rows";
import type { HealthCheckSchema } from "@gatewright/gateway-wire/xds";
import { CodecClientType } from "@gatewright/gateway-wire/xds";
import type { BackendDraft } from "../backend-draft.ts";
import { durationOf } from "../packed.ts";
import type { Init } from "../packed.ts";

/** `healthCheck` of backends of both kinds. */
export interface HealthCheckSpec {
  readonly enabled?: boolean;
  readonly path?: string;
  readonly port?: number;
  readonly useGRPC?: boolean;
  readonly grpcService?: string;
  readonly service?: string;
  readonly useHTTP?: boolean;
  readonly httpPath?: string;
  readonly httpPort?: number;
  readonly tcp?: boolean;
  readonly interval?: string;
  readonly timeout?: string;
  readonly healthyThreshold?: number;
  readonly unhealthyThreshold?: number;
}

type Checker = NonNullable<Init<typeof HealthCheckSchema>["healthChecker"]>;

const INTERVAL_MS = 10_000;
const TIMEOUT_MS = 5_000;
const GOOD = { start: 200n, end: 400n };

/** Asks hosts how they are. Those that nobody has asked yet count as not well; ours count as well until they are asked. */
export function healthChecks(spec: HealthCheckSpec, isGrpc: boolean, draft: BackendDraft): void {
  if (spec.enabled === false) return;
  const intervalMs = Math.max(1, specMs(spec.interval, INTERVAL_MS));
  draft.cluster.healthChecks = [
    {
      interval: durationOf(intervalMs),
      noTrafficInterval: durationOf(intervalMs),
      timeout: durationOf(Math.max(1, specMs(spec.timeout, TIMEOUT_MS))),
      healthyThreshold: spec.healthyThreshold ?? 2,
      unhealthyThreshold: spec.unhealthyThreshold ?? 3,
      healthChecker: checker(spec, isGrpc),
    },
  ];
}

/** Where health is asked for, if not at the port of the host. */
export function healthPort(spec: HealthCheckSpec | undefined): number | undefined {
  return spec?.useHTTP === true ? spec.httpPort : spec?.port;
}

function checker(spec: HealthCheckSpec, isGrpc: boolean): Checker {
  if (spec.tcp === true) return { case: "tcpHealthCheck", value: {} };
  const byGrpc = isGrpc ? spec.useHTTP !== true : spec.useGRPC === true;
  if (byGrpc) return { case: "grpcHealthCheck", value: { serviceName: spec.service ?? spec.grpcService ?? "" } };
  const path = (isGrpc ? spec.httpPath : spec.path) ?? "/";
  const codecClientType = CodecClientType.HTTP1;
  return { case: "httpHealthCheck", value: { path, expectedStatuses: [GOOD], codecClientType } };
}
