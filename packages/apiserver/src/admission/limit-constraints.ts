import { asApproximateFloat, compareQuantities, formatQuantity, quantitySign } from "@gatewright/kube";
import type { JsonObject, Quantity } from "@gatewright/kube";
import { readAmounts } from "./pod-resources.ts";
import type { ResourceAmounts } from "./pod-resources.ts";

/** What is held against a limit. Claims have requests only. */
export interface Usage {
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts | undefined;
}

/** Everything in which the usage breaks one item of a LimitRange, in kube-apiserver's words. */
export function limitErrors(limit: JsonObject, usage: Usage): string[] {
  const type = String(limit.type ?? "");
  const errors: string[] = [];
  const each = (field: string, check: (name: string, bound: Quantity) => string | undefined): void => {
    for (const [name, bound] of readAmounts(limit[field])) {
      const error = check(name, bound);
      if (error !== undefined) errors.push(error);
    }
  };
  each("min", (name, bound) => belowMinimum(type, name, bound, usage));
  each("max", (name, bound) => aboveMaximum(type, name, bound, usage));
  if (usage.limits) each("maxLimitRequestRatio", (name, bound) => aboveRatio(type, name, bound, usage));
  return errors;
}

const less = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) < 0;

function belowMinimum(type: string, name: string, bound: Quantity, usage: Usage): string | undefined {
  const [request, limit] = [usage.requests.get(name), usage.limits?.get(name)];
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (!request) return `${rule}.  No request is specified`;
  if (less(request, bound)) return `${rule}, but request is ${formatQuantity(request)}`;
  if (limit && less(limit, bound)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function aboveMaximum(type: string, name: string, bound: Quantity, usage: Usage): string | undefined {
  const request = usage.requests.get(name);
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (!usage.limits && !request) return `${rule}.  No request is specified`;
  if (usage.limits) {
    const limit = usage.limits.get(name);
    if (!limit) return `${rule}.  No limit is specified`;
    if (less(bound, limit)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  }
  return request && less(bound, request) ? `${rule}, but request is ${formatQuantity(request)}` : undefined;
}

function aboveRatio(type: string, name: string, bound: Quantity, usage: Usage): string | undefined {
  const [request, limit] = [usage.requests.get(name), usage.limits?.get(name)];
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}, but`;
  if (!request || quantitySign(request) === 0) return `${rule} no request is specified or request is 0`;
  if (!limit || quantitySign(limit) === 0) return `${rule} no limit is specified or limit is 0`;
  const ratio = asApproximateFloat(limit) / asApproximateFloat(request);
  return ratio > asApproximateFloat(bound) ? `${rule} provided ratio is ${ratio.toFixed(6)}` : undefined;
}
