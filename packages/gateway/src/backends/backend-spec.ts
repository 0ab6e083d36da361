import type { BackendEncodingSpec } from "../filters/encoding/backend-encoding.ts";
import type { MaxSessionsSpec } from "../filters/max-sessions.ts";
import type { RateLimitSpec } from "../filters/rate-limit.ts";
import type { GrpcTransformSpec } from "../filters/transform/grpc-transform.ts";
import type { BackendTransformSpec } from "../filters/transform/transform-filter.ts";
import type { LoadBalancerSpec } from "./balancing/balancer-of.ts";
import type { BackendAuthenticationSpec } from "./credentials/backend-credentials.ts";
import type { HealthCheckSpec } from "./health/health-plan.ts";
import type { RequestLimitsSpec } from "./size-limited.ts";
import type { BackendTlsSpec } from "./tls/backend-tls.ts";

/** What is read of the specifications of Backend, GRPCBackend and GraphQLBackend. The fields are the kinds' own. */
export interface BackendSpec {
  readonly hosts: readonly { readonly address: string; readonly port: number; readonly weight?: number }[];
  readonly protocol?: string;
  readonly loadBalancer?: LoadBalancerSpec;
  readonly healthCheck?: HealthCheckSpec;
  readonly circuitBreaker?: CircuitBreakerSpec;
  readonly outlierDetection?: OutlierDetectionSpec;
  readonly maxSessions?: MaxSessionsSpec;
  readonly rateLimit?: RateLimitSpec;
  readonly connectionPool?: ConnectionPoolSpec;
  readonly tls?: BackendTlsSpec;
  readonly authentication?: BackendAuthenticationSpec;
  readonly requestLimits?: RequestLimitsSpec;
  /** Of HTTP backends and of gRPC backends, each in its own words. */
  readonly transform?: BackendTransformSpec & GrpcTransformSpec;
  readonly cache?: { readonly enabled: boolean };
  readonly encoding?: BackendEncodingSpec;
}

/** The field `circuitBreaker`. Failures of all hosts count together. */
export interface CircuitBreakerSpec {
  readonly enabled: boolean;
  readonly threshold: number;
  readonly timeout: string;
  readonly halfOpenRequests?: number;
}

/** The field `outlierDetection`. Failures count by host. */
export interface OutlierDetectionSpec {
  readonly enabled: boolean;
  readonly consecutiveErrors?: number;
  readonly interval?: string;
  readonly baseEjectionTime?: string;
  readonly maxEjectionPercent?: number;
}

/** The field `connectionPool`, for each host. */
export interface ConnectionPoolSpec {
  readonly idleConnTimeout?: string;
  readonly maxConnsPerHost?: number;
  readonly maxIdleConns?: number;
  readonly maxPendingRequests?: number;
}
