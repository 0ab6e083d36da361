import { formatTime } from "@gatewright/kube";
import { setCondition } from "@gatewright/runtime";
import type { Condition } from "@gatewright/runtime";
import type { Fact } from "./facts.ts";
import type { GatewayStanding } from "./gateway-standing.ts";

/** The parts of the kinds' statuses that are written. */
export interface ObjectStatus {
  readonly observedGeneration?: number;
  readonly conditions?: readonly (Omit<Condition, "status"> & { readonly status: string })[];
  readonly gateways?: string;
  readonly appliedGateways?: readonly AppliedGateway[];
  readonly totalHosts?: number;
}

export interface AppliedGateway {
  readonly name: string;
  readonly namespace: string;
  readonly lastApplied: string;
}

/** More than people read; `gateways` says how many there are. */
const LISTED = 16;

/** Conditions that these facts make of those before, and nothing else of ours. */
export function conditionsOf(
  before: ObjectStatus | undefined,
  facts: readonly Fact[],
  generation: number,
  now: number,
): NonNullable<ObjectStatus["conditions"]> {
  let conditions: NonNullable<ObjectStatus["conditions"]> = (before?.conditions ?? []).filter(({ type }) =>
    facts.some((fact) => fact.type === type),
  );
  for (const fact of facts) conditions = setCondition(conditions, { ...fact, observedGeneration: generation }, now);
  return conditions;
}

/** What routes say of gateways besides conditions. Whoever had this generation before has had it since then, reconnects or not. */
export function routeFields(
  before: ObjectStatus | undefined,
  gateways: readonly GatewayStanding[],
  generation: number,
): Pick<ObjectStatus, "gateways" | "appliedGateways"> {
  const applied = gateways.filter(({ state }) => state === "applied");
  const known = before?.observedGeneration === generation ? (before.appliedGateways ?? []) : [];
  return {
    gateways: `${applied.length}/${gateways.length}`,
    appliedGateways: applied.slice(0, LISTED).map(({ namespace, name, since }) => ({
      namespace,
      name,
      lastApplied:
        known.find((one) => one.name === name && one.namespace === namespace)?.lastApplied ?? formatTime(since),
    })),
  };
}
