import type { Immutable } from "@gatewright/kube";
import type { Gateway, ListenerSet } from "@gatewright/resources";
import { setCondition } from "@gatewright/runtime";
import type { GatewayOutline } from "../model/outline.ts";
import { listenerStatuses } from "./listener-status.ts";
import type { StatusCondition } from "./listener-status.ts";

type GatewayStatus = NonNullable<Immutable<Gateway>["status"]>;
type ListenerSetStatus = NonNullable<Immutable<ListenerSet>["status"]>;
type Fact = Parameters<typeof setCondition>[1];

/** A load balancer as a status tells of it. */
export interface Balancer {
  readonly arn: string;
  readonly dnsName: string;
  readonly active: boolean;
}

/** What a Gateway says when AWS has what it asks for, or soon will. */
export function gatewayStatus(outline: GatewayOutline, balancer: Balancer, now: number): GatewayStatus {
  const { gateway, listeners, attached } = outline;
  const generation = gateway.metadata.generation ?? 0;
  const own = listeners.all.filter(({ owner }) => owner.kind === "Gateway");
  const good = listeners.all.some(({ problem }) => problem === undefined);
  const flawed = listeners.all.some(({ problem }) => problem !== undefined);
  const programmed: Fact = balancer.active
    ? { type: "Programmed", status: "True", reason: "Programmed", message: balancer.arn }
    : { type: "Programmed", status: "Unknown", reason: "Pending", message: "Waiting for load balancer to be active." };
  return {
    addresses: [{ type: "Hostname", value: balancer.dnsName.toLowerCase() }],
    conditions: withFacts(
      gateway.status?.conditions,
      [
        {
          type: "Accepted",
          status: good ? "True" : "False",
          reason: flawed ? "ListenersNotValid" : "Accepted",
          message: "",
        },
        programmed,
      ],
      generation,
      now,
    ),
    listeners: listenerStatuses(own, attached, gateway.status?.listeners, {
      programmed: balancer.active,
      generation,
      now,
    }),
    attachedListenerSets: listeners.sets.length,
  };
}

/** What a Gateway says when it cannot be made. What it said of its load balancer before stays. */
export function failedGatewayStatus(gateway: Immutable<Gateway>, message: string, now: number): GatewayStatus {
  const fact: Fact = { type: "Accepted", status: "False", reason: "Invalid", message };
  const conditions = withFacts(gateway.status?.conditions, [fact], gateway.metadata.generation ?? 0, now);
  return { ...gateway.status, conditions };
}

/** What a ListenerSet says that the Gateway took. */
export function listenerSetStatus(
  { listeners, attached }: GatewayOutline,
  set: Immutable<ListenerSet>,
  programmed: boolean,
  now: number,
): ListenerSetStatus {
  const generation = set.metadata.generation ?? 0;
  const { namespace, name } = set.metadata;
  const own = listeners.all.filter(
    ({ owner }) => owner.kind === "ListenerSet" && owner.ref.namespace === namespace && owner.ref.name === name,
  );
  const good = own.some(({ problem }) => problem === undefined);
  const accepted: Fact = good
    ? { type: "Accepted", status: "True", reason: "Accepted", message: "" }
    : { type: "Accepted", status: "False", reason: "ListenersNotValid", message: "No listener is valid." };
  const done: Fact =
    good && programmed
      ? { type: "Programmed", status: "True", reason: "Programmed", message: "" }
      : { type: "Programmed", status: "False", reason: good ? "Pending" : "ListenersNotValid", message: "" };
  return {
    conditions: withFacts(set.status?.conditions, [accepted, done], generation, now),
    listeners: listenerStatuses(own, attached, set.status?.listeners, { programmed, generation, now }),
  };
}

/** What a ListenerSet says that the Gateway does not take. */
export function refusedListenerSetStatus(set: Immutable<ListenerSet>, message: string, now: number): ListenerSetStatus {
  const facts = ["Accepted", "Programmed"].map((type): Fact => ({
    type,
    status: "False",
    reason: "NotAllowed",
    message,
  }));
  return { conditions: withFacts(set.status?.conditions, facts, set.metadata.generation ?? 0, now) };
}

function withFacts(
  before: readonly StatusCondition[] | undefined,
  facts: readonly Fact[],
  observedGeneration: number,
  now: number,
): readonly StatusCondition[] {
  return facts.reduce<readonly StatusCondition[]>(
    (conditions, fact) => setCondition(conditions, { ...fact, observedGeneration }, now),
    before ?? [],
  );
}
