import { s } from "@gatewright/kube/define";
import type { ConditionValue } from "@gatewright/kube/define";

const shape = {
  description: "What is known of the state, one of each type.",
  maxItems: 8,
  listType: "map",
  listMapKeys: ["type"],
} as const;

/** Conditions that are there from the start, unknown until a controller has looked. */
export const conditionsPending = (...types: readonly string[]) =>
  s.array(s.condition(), { ...shape, default: pending(types) });

/** Conditions that a controller writes. */
export const conditions = (options: { readonly minItems?: number } = {}) =>
  s.array(s.condition(), { ...shape, ...options });

/** What upstream's defaults say, word for word: clients compare it. */
export function pending(types: readonly string[]): ConditionValue[] {
  return types.map((type) => ({
    type,
    status: "Unknown",
    reason: "Pending",
    message: "Waiting for controller",
    lastTransitionTime: "1970-01-01T00:00:00Z",
  }));
}
