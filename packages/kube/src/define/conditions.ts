import { array, object } from "./collections.ts";
import { integer, string } from "./scalars.ts";
import type { Schema } from "./schema.ts";
import { time } from "./special-scalars.ts";

/** A standard condition of a status. */
export type ConditionValue = {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
};

const item: Schema<ConditionValue, ConditionValue, "always"> = object({
  type: string({
    description: "What the condition is about.",
    maxLength: 316,
    pattern: String.raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
  }),
  status: string({ description: "Whether it holds.", enum: ["True", "False", "Unknown"] }),
  reason: string({
    description: "Why, as one word for programs.",
    minLength: 1,
    maxLength: 1024,
    pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
  }),
  message: string({ description: "Why, for people.", maxLength: 32768 }),
  lastTransitionTime: time({ description: "When the status last changed." }),
  observedGeneration: integer({
    description: "The generation of the object that this was said about.",
    format: "int64",
    minimum: 0,
  }).optional(),
});

/** One standard condition, for statuses that have lists of them in several places. */
export function condition(): Schema<ConditionValue, ConditionValue, "always"> {
  return item;
}

/** The conditions of a status: one of each type, so that several controllers can own theirs. */
export function conditions(
  description = "What is known of the object's state.",
): Schema<ConditionValue[], ConditionValue[], "optional"> {
  return array(item, { description, listType: "map", listMapKeys: ["type"] }).optional();
}
