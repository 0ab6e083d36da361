import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  integerQuantity,
  quantitySign,
  subtractQuantities,
} from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { Cluster } from "../../cluster.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.ts";
import type { ResourceAmounts } from "../pod-resources.ts";
import { refusal } from "../refusal.ts";
import { hardLimits, limitedNames, namespaceUsage } from "./namespace-usage.ts";
import { missingConstraints } from "./pod-constraints.ts";
import { hasScopes, inScope, isTerminating } from "./quota-scopes.ts";
import { usageOf } from "./quota-usage.ts";
import { Reservations } from "./reservations.ts";

const QUOTAS: GroupResource = { group: "", resource: "resourcequotas" };
const ZERO = integerQuantity(0n);

/** Refuses what would use more than the namespace's ResourceQuotas allow. Requests that come together count together. */
export function resourceQuota(cluster: Cluster, clock: Clock): AdmissionPlugin {
  const reservations = new Reservations(cluster.store, clock);

  /** Synchronous on purpose: between looking and reserving nobody else may look. */
  function judge(attributes: AdmissionAttributes, object: KubeObject): void {
    const { resource, namespace, oldObject, operation } = attributes;
    const now = clock.now();
    const delta = increase(
      usageOf(resource, object, now),
      operation === "UPDATE" && oldObject ? usageOf(resource, oldObject, now) : new Map(),
    );
    const charged = new Set<string>();
    for (const quota of cluster.list(QUOTAS, namespace)) {
      const names = concerned(quota, attributes, object);
      if (names.length === 0) continue;
      const { name = "", uid = "" } = quota.metadata;
      const missing = isPods(resource) ? missingConstraints(object, names) : undefined;
      if (missing !== undefined) throw refusal(attributes, `failed quota: ${name}: ${missing}`);
      const used = namespaceUsage(cluster, quota, now);
      reservations.addTo(used, uid);
      const hard = hardLimits(quota);
      const exceeded = names.filter((n) => {
        const more = delta.get(n);
        return more && compareQuantities(addQuantities(used.get(n) ?? ZERO, more), hard.get(n) ?? ZERO) > 0;
      });
      if (exceeded.length > 0) {
        const [requested, now_, limited] = [delta, used, hard].map((amounts) => shown(amounts, exceeded));
        throw refusal(
          attributes,
          `exceeded quota: ${name}, requested: ${requested}, used: ${now_}, limited: ${limited}`,
        );
      }
      if (names.some((n) => delta.has(n))) charged.add(uid);
    }
    if (charged.size === 0 || attributes.dryRun) return;
    const table = cluster.resources.get(resource)?.table;
    if (table !== undefined) reservations.hold(table, `${namespace}/${object.metadata.name ?? ""}`, charged, delta);
  }

  return {
    name: "ResourceQuota",
    validate(attributes) {
      const { object, namespace } = attributes;
      if (object && namespace !== "" && isCharged(attributes)) judge(attributes, object);
    },
  };
}

function isPods({ group, resource }: GroupResource): boolean {
  return group === "" && resource === "pods";
}

function isCharged({ operation, resource, subresource, object, oldObject }: AdmissionAttributes): boolean {
  if (operation === "CREATE") return subresource === "";
  if (operation !== "UPDATE" || resource.group !== "") return false;
  if (resource.resource === "pods") {
    if (subresource === "resize") return true;
    return (
      subresource === "" &&
      object !== undefined &&
      oldObject !== undefined &&
      isTerminating(object) !== isTerminating(oldObject)
    );
  }
  return subresource === "" && (resource.resource === "services" || resource.resource === "persistentvolumeclaims");
}

function concerned(quota: KubeObject, { resource }: AdmissionAttributes, object: KubeObject): string[] {
  if (hasScopes(quota) && !(isPods(resource) && inScope(quota, object))) return [];
  return limitedNames(quota, resource);
}

/** What is used more than before. Less is always allowed. */
function increase(after: ResourceAmounts, before: ResourceAmounts): ResourceAmounts {
  const more: ResourceAmounts = new Map();
  for (const [name, amount] of after) {
    const difference = subtractQuantities(amount, before.get(name) ?? ZERO);
    if (quantitySign(difference) > 0) more.set(name, difference);
  }
  return more;
}

function shown(amounts: ResourceAmounts, names: readonly string[]): string {
  return names
    .toSorted()
    .map((name) => `${name}=${formatQuantity(amounts.get(name) ?? ZERO)}`)
    .join(",");
}
