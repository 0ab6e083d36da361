import { create } from "@bufbuild/protobuf";
import { gatewayApi, operatorApi } from "@gatewright/gateway-wire";
import type { JsonObject } from "@gatewright/kube";
import { TransportError } from "@gatewright/runtime";
import type { SimulatedSystem, SystemDefinition, SystemPort } from "@gatewright/runtime/simulation";
import { typeOf } from "../../packages/gateway/src/control/resource-objects.ts";
import type { Deliverable } from "../../packages/routing/src/model/deliverable.ts";
import { deliverableKey } from "../../packages/routing/src/model/deliverable.ts";
import type { GatewayCalls } from "../../packages/routing/src/push/gateway-calls.ts";

type Named = Pick<Deliverable, "kind" | "namespace" | "name">;

/** What is asked of one of the gateways. */
type GatewayRequest = { readonly gateway: string } & (
  | { readonly call: "status" }
  | { readonly call: "apply"; readonly object: Deliverable }
  | { readonly call: "remove"; readonly object: Named }
  /** It begins anew, with nothing. */
  | { readonly call: "restart" }
);

interface Held extends Named {
  readonly version: string;
  readonly spec: JsonObject;
  readonly refused: boolean;
}

/** A word in a spec that gateways of this world refuse, though the operator sees nothing wrong with it. */
export const UNLIKED = "/unliked";

/** Gateways that are pushed to, as a system of a world: each has what it was given, and refuses what it does not like. */
export function gatewaysSystem(names: readonly string[]): SystemDefinition {
  return { name: "gateways", open: async () => openGateways(names) };
}

function openGateways(names: readonly string[]): SimulatedSystem {
  const gateways = new Map(names.map((name) => [name, new Map<string, Held>()]));
  let revision = 0;
  const heldBy = (gateway: string): Map<string, Held> => {
    const held = gateways.get(gateway);
    if (held === undefined) throw new TypeError(`there is no gateway ${gateway}`);
    return held;
  };
  const answer = (request: GatewayRequest): unknown => {
    const held = heldBy(request.gateway);
    if (request.call === "status") return statusOf(request.gateway, held);
    revision++;
    if (request.call === "restart") return held.clear();
    const key = deliverableKey(request.object);
    if (request.call === "remove") return held.delete(key);
    const { kind, namespace, name, version, spec } = request.object;
    const refused = JSON.stringify(spec).includes(UNLIKED);
    // What it had before serves on.
    held.set(key, { kind, namespace, name, version, spec: refused ? (held.get(key)?.spec ?? {}) : spec, refused });
    return outcomeOf(request.object, refused);
  };
  return {
    describe(asked) {
      const request = asked as GatewayRequest;
      const about = "object" in request ? `${request.gateway} ${deliverableKey(request.object)}` : request.gateway;
      return { site: request.call, writes: request.call !== "status", about };
    },
    async handle(asked, { trouble }) {
      const request = asked as GatewayRequest;
      if (trouble === "late-error") answer(request);
      // A gateway that is too busy, or that does not know who asks, says no more than that it failed.
      if (trouble !== undefined && trouble !== "stale") throw new TransportError("cut", trouble);
      return answer(request);
    },
    summary: (told) => ({ shown: "answered", content: JSON.stringify(told) ?? "" }),
    resources: () =>
      new Map(
        [...gateways].flatMap(([gateway, held]) =>
          [...held].map(([key, { spec, refused }]) => {
            const name = `${gateway} ${key}`;
            return [name, { name, content: { spec, refused } }] as const;
          }),
        ),
      ),
    revision: () => revision,
  };
}

function statusOf(gateway: string, held: ReadonlyMap<string, Held>): gatewayApi.GetGatewayStatusResponse {
  return create(gatewayApi.GetGatewayStatusResponseSchema, {
    gateway: create(operatorApi.GatewayInfoSchema, { name: gateway, namespace: "edge", version: "1" }),
    objects: Array.from(held.values(), ({ kind, namespace, name, version, refused }) =>
      create(gatewayApi.HeldObjectSchema, {
        type: typeOf(kind),
        namespace,
        name,
        resourceVersion: refused ? "" : version,
      }),
    ),
  });
}

function outcomeOf({ kind, namespace, name }: Named, refused: boolean): gatewayApi.Outcome {
  const finding = { type: typeOf(kind), namespace, name, refused, field: "spec.match", message: "is not liked" };
  return create(gatewayApi.OutcomeSchema, {
    applied: !refused,
    findings: refused ? [create(operatorApi.ResourceFindingSchema, finding)] : [],
  });
}

/** The calls of one of the gateways, over the simulated network. */
export function gatewayCalls(port: SystemPort, gateway: string): GatewayCalls {
  const ask = async <T>(request: GatewayRequest, signal: AbortSignal): Promise<T> => (await port(request, signal)) as T;
  return {
    status: (signal) => ask({ gateway, call: "status" }, signal),
    apply: (object, signal) => ask({ gateway, call: "apply", object }, signal),
    remove: async (object, signal) => void (await ask({ gateway, call: "remove", object }, signal)),
    [Symbol.dispose]() {},
  };
}

/** For whoever pulls the plug. */
export const restarted = (port: SystemPort, gateway: string, signal: AbortSignal): Promise<unknown> =>
  port({ gateway, call: "restart" } satisfies GatewayRequest, signal);
