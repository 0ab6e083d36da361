import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** One address of a backend, shared by all routes that lead to it. */
export interface Endpoint {
  /** `10.0.0.7:8080`. */
  readonly address: string;
  readonly upstream: Upstream;
  /**
   * Tells how a request went, for circuit breaker and ejection. Exactly once for every endpoint that was picked. `undefined`
   * status: no answer came; 499: the client went before it came, which is neither for nor against the endpoint.
   */
  ended(status: number | undefined): void;
}

/** What requests are forwarded to: endpoints, and everything that is judged per backend, never per route. */
export interface Backend {
  /** `Backend default/hello`, or `address 10.0.0.7:8080` for destinations that no object names. */
  readonly id: string;
  /** What the authority of requests becomes, if it changes. */
  readonly authority: string | undefined;
  /** What calls pass once they are sent here. Undefined: nothing. */
  readonly filters?: readonly Filter[];
  /** An endpoint that may take this request now, other than those already tried where there are others; or why there is none. */
  pick(call: Call, tried: ReadonlySet<Endpoint>): Endpoint | NoEndpoint;
  /** As the admin page shows it. */
  describe(): BackendState;
}

/** Why a backend takes no request: `status` is what the client gets. */
export interface NoEndpoint {
  readonly refused: "no_healthy_endpoint" | "circuit_open" | "too_many_requests" | "overflow" | "not_allowed";
  readonly status: number;
  readonly message: string;
}

export interface BackendState {
  readonly id: string;
  readonly circuit: "closed" | "open" | "half-open" | "none";
  readonly endpoints: readonly {
    readonly address: string;
    readonly healthy: boolean;
    readonly ejected: boolean;
    readonly active: number;
    readonly connections: number;
  }[];
}
