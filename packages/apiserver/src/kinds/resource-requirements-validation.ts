import { child, compareQuantities, forbiddenField, getOwn, invalid, key, quantityOf, required } from "@gatewright/kube";
import type { FieldError, FieldPath, Json, JsonObject } from "@gatewright/kube";
import { entries, struct } from "../resources/object-fields.ts";
import {
  containerResourceNameErrors,
  isHugePages,
  isOvercommitAllowed,
  resourceAmountErrors,
} from "./resource-name-validation.ts";

function compare(a: Json, b: Json): number {
  const [left, right] = [quantityOf(a), quantityOf(b)];
  return left && right ? compareQuantities(left, right) : 0;
}

/** A request against the limit of the same resource. */
function requestErrors(name: string, amount: Json, limit: Json | undefined, path: FieldPath): FieldError[] {
  const [requests, limits] = [child(path, "requests"), child(path, "limits")];
  const shared = isOvercommitAllowed(name);
  if (limit === undefined) {
    return shared ? [] : [required(limits, "Limit must be set for non overcommitable resources")];
  }
  const order = compare(amount, limit);
  if (order !== 0 && !shared) return [invalid(requests, amount, `must be equal to ${name} limit of ${String(limit)}`)];
  return order > 0
    ? [invalid(requests, amount, `must be less than or equal to ${name} limit of ${String(limit)}`)]
    : [];
}

/** The limits and requests of a container. */
export function resourceRequirementsErrors(resources: JsonObject | undefined, path: FieldPath): FieldError[] {
  const limits = struct(resources, "limits") ?? {};
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const list of ["limits", "requests"]) {
    for (const [name, amount] of entries(resources, list)) {
      const place = key(child(path, list), name);
      names.add(name);
      errors.push(...containerResourceNameErrors(name, place), ...resourceAmountErrors(name, amount, place));
      if (list === "requests") errors.push(...requestErrors(name, amount, getOwn(limits, name), path));
    }
  }
  if ([...names].some(isHugePages) && !names.has("cpu") && !names.has("memory")) {
    errors.push(forbiddenField(path, "HugePages require cpu or memory"));
  }
  return errors;
}
