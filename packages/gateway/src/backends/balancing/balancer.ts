import type { Call } from "../../pipeline/call.ts";

/** What balancing looks at in an endpoint. */
export interface Balanced {
  readonly address: string;
  readonly weight: number;
  /** Requests under way. */
  readonly active: number;
  /** Round robin's memory: it belongs to the endpoint, so that it outlives edits of others. */
  turn: number;
}

/** Chooses one of the endpoints that may take a request; there is at least one. Weight 0 gets none unless all have it. */
export interface Balancer {
  choose<T extends Balanced>(among: readonly T[], call: Call): T;
}
