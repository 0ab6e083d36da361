import { formatTime, isObject } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { struct, structs, text } from "../resources/object-fields.ts";

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/**
 * Sets a condition in the status. Its time moves only when the status does. Returns whether anything changed. Whoever reads
 * conditions compares more than the time: an equal condition is left alone.
 */
export function setCondition(crd: KubeObject, condition: Condition, now: number): boolean {
  const status = (crd["status"] = isObject(crd["status"]) ? crd["status"] : {});
  const conditions: JsonObject[] = [...structs(status, "conditions")];
  const index = conditions.findIndex((c) => text(c, "type") === condition.type);
  const known = conditions[index];
  const same = (field: keyof Condition): boolean => known !== undefined && text(known, field) === condition[field];
  if (same("status") && same("reason") && same("message")) return false;
  const made: JsonObject = {
    type: condition.type,
    status: condition.status,
    lastTransitionTime: (same("status") ? known?.["lastTransitionTime"] : undefined) ?? formatTime(now),
    reason: condition.reason,
    message: condition.message,
  };
  if (index < 0) conditions.push(made);
  else conditions[index] = made;
  status["conditions"] = conditions;
  return true;
}

/** Takes a condition away. Returns whether it was there. */
export function removeCondition(crd: KubeObject, type: string): boolean {
  const status = struct(crd, "status");
  const conditions = structs(status, "conditions");
  const left = conditions.filter((c) => text(c, "type") !== type);
  if (!status || left.length === conditions.length) return false;
  status["conditions"] = left;
  return true;
}
