import { formatTime } from "@gatewright/kube";

/** One fact about an object, as its status tells it. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** UpperCamelCase, for machines. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  /** Which generation of the object was judged. */
  readonly observedGeneration?: number;
  /** When the status last became another. */
  readonly lastTransitionTime: string;
}

/** Conditions as types of kinds declare them. */
type AnyCondition = Omit<Condition, "status"> & { readonly status: string };

/**
 * The conditions with one of them set. Pure. `lastTransitionTime` changes only when the status does, so equal facts are equal
 * values; if nothing changed it is the same array. Others keep their places, a new one comes last.
 */
export function setCondition<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  fact: Omit<Condition, "lastTransitionTime">,
  now: number,
): readonly (C | Condition)[] {
  const before = conditions?.find(({ type }) => type === fact.type);
  if (conditions !== undefined && before !== undefined && sameFact(before, fact)) return conditions;
  const lastTransitionTime = before?.status === fact.status ? before.lastTransitionTime : formatTime(now);
  const next: Condition = { ...fact, lastTransitionTime };
  if (before === undefined) return [...(conditions ?? []), next];
  return (conditions ?? []).map((each) => (each === before ? next : each));
}

/** The conditions without those of a type; the same array when there is none. */
export function removeCondition<C extends AnyCondition>(conditions: readonly C[], type: string): readonly C[] {
  return conditions.some((each) => each.type === type) ? conditions.filter((each) => each.type !== type) : conditions;
}

/** Whether the condition is there and True, for the generation that is asked for if one is. */
export function isTrue(conditions: readonly AnyCondition[] | undefined, type: string, generation?: number): boolean {
  const found = conditions?.find((each) => each.type === type);
  return found?.status === "True" && (generation === undefined || found.observedGeneration === generation);
}

function sameFact(a: AnyCondition, b: Omit<Condition, "lastTransitionTime">): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}
