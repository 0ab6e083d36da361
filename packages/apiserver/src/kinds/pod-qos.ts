import { compareQuantities, getOwn, integerQuantity, quantityOf } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { struct, structs } from "../resources/object-fields.ts";

const COMPUTE = ["cpu", "memory"];

function amounts(holder: JsonObject, list: "limits" | "requests"): Map<string, string> {
  const found = new Map<string, string>();
  const resources = struct(holder, "resources", list) ?? {};
  for (const name of COMPUTE) {
    const quantity = quantityOf(getOwn(resources, name));
    if (quantity && compareQuantities(quantity, integerQuantity(0n)) > 0) found.set(name, String(resources[name]));
  }
  return found;
}

const same = (a: string, b: string): boolean => compareQuantities(quantityOf(a)!, quantityOf(b)!) === 0;

/** The quality of service of a pod: Guaranteed when every container has limits and asks for just them. */
export function qosClass(spec: JsonObject): "Guaranteed" | "Burstable" | "BestEffort" {
  const own = struct(spec, "resources");
  const holders =
    own && Object.keys(own).length > 0 ? [spec] : [...structs(spec, "containers"), ...structs(spec, "initContainers")];
  const limited = holders.map((holder) => ({
    limits: amounts(holder, "limits"),
    requests: amounts(holder, "requests"),
  }));
  if (limited.every(({ limits, requests }) => limits.size === 0 && requests.size === 0)) return "BestEffort";
  const guaranteed = limited.every(({ limits, requests }) =>
    COMPUTE.every((name) => {
      const limit = limits.get(name);
      return limit !== undefined && same(requests.get(name) ?? limit, limit);
    }),
  );
  return guaranteed ? "Guaranteed" : "Burstable";
}
