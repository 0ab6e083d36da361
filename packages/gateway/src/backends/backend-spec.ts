import type { MaxSessionsSpec } from "../filters/max-sessions.ts";
import type { RateLimitSpec } from "../filters/rate-limit.ts";
import type { LoadBalancerSpec } from "./balancing/balancer-of.ts";
import type { HealthCheckSpec } from "./health/health-plan.ts";

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
}

export interface CircuitBreakerSpec {
  readonly enabled: boolean;
  readonly threshold: number;
  readonly timeout: string;
  readonly halfOpenRequests?: number;
}

export interface OutlierDetectionSpec {
  readonly enabled: boolean;
  readonly consecutiveErrors?: number;
  readonly interval?: string;
  readonly baseEjectionTime?: string;
  readonly maxEjectionPercent?: number;
}

export interface ConnectionPoolSpec {
  readonly idleConnTimeout?: string;
  readonly maxConnsPerHost?: number;
  readonly maxIdleConns?: number;
  readonly maxPendingRequests?: number;
}
