import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import type { Laws, SystemResource } from "@gatewright/runtime/simulation";
import { aliasRecords, danglingRecords } from "./aws-resources.ts";

interface Served {
  readonly address: string | undefined;
  /** Who may attach routes, by hostname. */
  readonly namespaces: ReadonlyMap<string, readonly string[]>;
}

/**
 * What must hold at every instant: no record points at a load balancer that is gone, or at one that has no listener for the name; and
 * no two namespaces have listeners for the same name.
 */
export function hostnameLaws(): Laws {
  const gateways = new Map<string, Served>();
  let resources: ReadonlyMap<string, SystemResource> = new Map();
  return {
    objects(table, type, object) {
      if (table !== "gateways.gateway.networking.k8s.io") return undefined;
      const name = object.metadata.name ?? "";
      if (type === "DELETED") gateways.delete(name);
      else gateways.set(name, servedBy(object));
      return sharedName(gateways) ?? unservedRecord(gateways, resources);
    },
    systems(_, now) {
      resources = now;
      return danglingRecords(now)[0] ?? unservedRecord(gateways, now);
    },
  };
}

function servedBy(gateway: KubeObject): Served {
  const [address] = listOf(getPath(gateway, "status", "addresses"));
  const namespaces = new Map<string, readonly string[]>();
  for (const listener of listOf(getPath(gateway, "spec", "listeners"))) {
    const [expression] = listOf(getPath(listener, "allowedRoutes", "namespaces", "selector", "matchExpressions"));
    const values = expression?.["values"];
    if (typeof listener["hostname"] === "string")
      namespaces.set(listener["hostname"], Array.isArray(values) ? values.map(String) : []);
  }
  return { address: typeof address?.["value"] === "string" ? address["value"] : undefined, namespaces };
}

function sharedName(gateways: ReadonlyMap<string, Served>): string | undefined {
  const holders = new Map<string, string>();
  for (const { namespaces } of gateways.values()) {
    for (const [hostname, allowed] of namespaces) {
      const holder = allowed.join(" ");
      const other = holders.get(hostname) ?? holder;
      if (other !== holder || allowed.length > 1) return `${hostname} is served for ${other} and for ${holder}`;
      holders.set(hostname, holder);
    }
  }
  return undefined;
}

function unservedRecord(
  gateways: ReadonlyMap<string, Served>,
  resources: ReadonlyMap<string, SystemResource>,
): string | undefined {
  for (const { hostname, target } of aliasRecords(resources)) {
    const serves = ({ address, namespaces }: Served): boolean =>
      address?.toLowerCase() === target && namespaces.has(hostname);
    if (![...gateways.values()].some(serves))
      return `the record of ${hostname} leads to ${target}, which has no listener for it`;
  }
  return undefined;
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
}
