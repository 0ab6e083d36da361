import { specMs } from "../../configuration/spec-duration.ts";

/** How backends of all kinds say it: those of gRPC in their own words. */
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

/** What is asked of an endpoint, and how often. */
export interface HealthPlan {
  readonly question:
    | { readonly by: "http"; readonly path: string }
    | { readonly by: "grpc"; readonly service: string }
    | { readonly by: "tcp" };
  /** Undefined: the endpoint's own. */
  readonly port: number | undefined;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
}

/** Undefined: nobody asks, and endpoints count as healthy. */
export function healthPlan(kind: string, spec: HealthCheckSpec | undefined): HealthPlan | undefined {
  if (spec === undefined || spec.enabled === false) return undefined;
  const isGrpc = kind === "GRPCBackend";
  const byGrpc = isGrpc ? spec.useHTTP !== true : spec.useGRPC === true;
  return {
    question:
      spec.tcp === true
        ? { by: "tcp" }
        : byGrpc
          ? { by: "grpc", service: (isGrpc ? spec.service : spec.grpcService) ?? "" }
          : { by: "http", path: (isGrpc ? spec.httpPath : spec.path) || "/healthz" },
    port: isGrpc ? spec.httpPort : spec.port,
    intervalMs: Math.max(specMs(spec.interval, 10_000), 10),
    timeoutMs: Math.max(specMs(spec.timeout, 5000), 1),
    healthyThreshold: spec.healthyThreshold ?? 2,
    unhealthyThreshold: spec.unhealthyThreshold ?? 3,
  };
}
