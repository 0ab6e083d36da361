import type { Immutable } from "@gatewright/kube";
import { setCondition } from "@gatewright/runtime";
import type { Managed } from "./aws-kind.ts";
import type { Fact } from "./decision.ts";

type Conditions = NonNullable<NonNullable<Immutable<Managed>["status"]>["conditions"]>;

/**
 * The conditions that a fact comes to. Ready: the resource can be used as the spec says; a fact that does not say it leaves it as it
 * was for this spec. Synced: there is nothing left to do.
 */
export function conditionsOf({ metadata, status }: Immutable<Managed>, fact: Fact, now: number): Conditions {
  const observedGeneration = metadata.generation ?? 0;
  const { reason, message, synced = "False" } = fact;
  const before = status?.conditions?.find(({ type }) => type === "Ready");
  const kept = before?.observedGeneration === observedGeneration ? before.status : "False";
  const ready = fact.ready ?? (kept === "True" || kept === "Unknown" ? kept : "False");
  const say = { reason: reason.reason, message: message.slice(0, LONGEST), observedGeneration };
  const first = setCondition(status?.conditions, { type: "Ready", status: ready, ...say }, now);
  return setCondition(first, { type: "Synced", status: synced, ...say }, now);
}

/** As long as conditions may be. */
const LONGEST = 32_768;
