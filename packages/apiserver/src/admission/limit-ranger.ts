import { aggregateText, ensurePath, formatQuantity, getOwn, getPath, isObject, setOwn } from "@gatewright/kube";
import type { GroupResource, JsonObject, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.ts";
import { limitErrors } from "./limit-constraints.ts";
import { containersOf, podAmounts, readAmounts } from "./pod-resources.ts";
import { refusal } from "./refusal.ts";

const LIMIT_RANGES: GroupResource = { group: "", resource: "limitranges" };
const ANNOTATION = "kubernetes.io/limit-ranger";

/** Gives containers the default requests and limits of their namespace's LimitRanges, and holds pods and claims to them. */
export function limitRanger(cluster: Pick<Cluster, "list">): AdmissionPlugin {
  return {
    name: "LimitRanger",
    mutate(attributes) {
      if (!concerns(attributes) || attributes.kind.kind !== "Pod" || !attributes.object) return;
      for (const range of cluster.list(LIMIT_RANGES, attributes.namespace)) setDefaults(attributes.object, range);
    },
    validate(attributes) {
      const { object } = attributes;
      if (!concerns(attributes) || !object) return;
      for (const range of cluster.list(LIMIT_RANGES, attributes.namespace)) {
        const errors = limitsOf(range).flatMap((limit) => check(limit, object));
        if (errors.length > 0) throw refusal(attributes, aggregateText(errors));
      }
    },
  };
}

function concerns({ operation, kind, subresource, oldObject }: AdmissionAttributes): boolean {
  if (kind.group !== "" || (operation !== "CREATE" && operation !== "UPDATE")) return false;
  if (oldObject?.metadata.deletionTimestamp !== undefined) return false;
  if (kind.kind === "Pod") return operation === "CREATE" ? subresource === "" : subresource === "resize";
  return kind.kind === "PersistentVolumeClaim" && subresource === "";
}

function limitsOf(range: KubeObject): JsonObject[] {
  const limits = getPath(range, "spec", "limits");
  return Array.isArray(limits) ? limits.filter(isObject) : [];
}

function check(limit: JsonObject, object: KubeObject): string[] {
  const type = String(limit.type ?? "");
  if (object.kind === "PersistentVolumeClaim") {
    if (type !== "PersistentVolumeClaim") return [];
    const requests = readAmounts(getPath(object, "spec", "resources", "requests"));
    return limitErrors(limit, { requests, limits: undefined });
  }
  if (type === "Pod") {
    return limitErrors(limit, { requests: podAmounts(object, "requests"), limits: podAmounts(object, "limits") });
  }
  if (type !== "Container") return [];
  return [...containersOf(object, "containers"), ...containersOf(object, "initContainers")].flatMap((container) =>
    limitErrors(limit, {
      requests: readAmounts(getPath(container, "resources", "requests")),
      limits: readAmounts(getPath(container, "resources", "limits")),
    }),
  );
}

function setDefaults(pod: KubeObject, range: KubeObject): void {
  const [requests, limits] = [new Map<string, string>(), new Map<string, string>()];
  for (const limit of limitsOf(range)) {
    if (limit.type !== "Container") continue;
    for (const [name, amount] of readAmounts(limit.defaultRequest)) requests.set(name, formatQuantity(amount));
    for (const [name, amount] of readAmounts(limit.default)) limits.set(name, formatQuantity(amount));
  }
  const told: string[] = [];
  const fill = (container: JsonObject, what: string): void => {
    const setLimits = fillIn(container, "limits", limits);
    const setRequests = fillIn(container, "requests", requests);
    const of = `for ${what} ${String(container.name ?? "")}`;
    if (setRequests.length > 0) told.push(`${setRequests.join(", ")} request ${of}`);
    if (setLimits.length > 0) told.push(`${setLimits.join(", ")} limit ${of}`);
  };
  for (const container of containersOf(pod, "containers")) fill(container, "container");
  for (const container of containersOf(pod, "initContainers")) fill(container, "init container");
  if (told.length === 0) return;
  pod.metadata.annotations ??= {};
  pod.metadata.annotations[ANNOTATION] = `LimitRanger plugin set: ${told.join("; ")}`;
}

/** Sets missing amounts; returns their names, sorted. */
function fillIn(container: JsonObject, field: "requests" | "limits", defaults: ReadonlyMap<string, string>): string[] {
  const missing = [...defaults].filter(([name]) => {
    const amounts = getPath(container, "resources", field);
    return !isObject(amounts) || getOwn(amounts, name) === undefined;
  });
  if (missing.length === 0) return [];
  const amounts = ensurePath(container, "resources", field);
  for (const [name, amount] of missing) setOwn(amounts, name, amount);
  return missing.map(([name]) => name).sort();
}
