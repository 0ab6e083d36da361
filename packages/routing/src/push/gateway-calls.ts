import type { ObjectKind } from "@gatewright/gateway";
import type { gatewayApi } from "@gatewright/gateway-wire";
import type { Deliverable } from "../model/deliverable.ts";

/** Kinds that gateways have calls for. */
export const PUSHED_KINDS: ReadonlySet<ObjectKind> = new Set(["APIRoute", "GRPCRoute", "Backend", "GRPCBackend"]);

/** What a gateway that is pushed to can be asked. Each rejects when there is no answer, or when the signal aborts. */
export interface GatewayCalls extends Disposable {
  /** Who it is, and what it has. */
  status(signal: AbortSignal): Promise<gatewayApi.GetGatewayStatusResponse>;
  /** Resolves when it is live, or was refused. */
  apply(deliverable: Deliverable, signal: AbortSignal): Promise<gatewayApi.Outcome | undefined>;
  /** Resolves when it is gone, whether or not it was there. */
  remove(object: Pick<Deliverable, "kind" | "namespace" | "name">, signal: AbortSignal): Promise<void>;
}
