import { ensurePath, getPath } from "@gatewright/kube";
import type { GroupResource, Json, KubeObject } from "@gatewright/kube";
import type { Cluster } from "../cluster.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.ts";
import { refusal } from "./refusal.ts";

const PRIORITY_CLASSES: GroupResource = { group: "scheduling.k8s.io", resource: "priorityclasses" };

/** Turns a pod's priorityClassName into a priority. Only one class may be the default of all. */
export function priority(cluster: Pick<Cluster, "get" | "list">): AdmissionPlugin {
  const globalDefault = (): KubeObject | undefined => {
    let lowest: KubeObject | undefined;
    for (const found of cluster.list(PRIORITY_CLASSES)) {
      if (found.globalDefault !== true) continue;
      if (!lowest || Number(found.value ?? 0) < Number(lowest.value ?? 0)) lowest = found;
    }
    return lowest;
  };
  return {
    name: "Priority",
    mutate(attributes) {
      const { resource, subresource, operation, object: pod, oldObject } = attributes;
      if (resource.group !== "" || resource.resource !== "pods" || subresource !== "" || !pod) return;
      if (operation === "UPDATE" && oldObject) keepComputed(pod, oldObject);
      if (operation !== "CREATE") return;
      const name = getPath(pod, "spec", "priorityClassName");
      const named = typeof name === "string" && name !== "" ? name : undefined;
      const found = named === undefined ? globalDefault() : cluster.get(PRIORITY_CLASSES, "", named);
      if (named !== undefined && !found) throw refusal(attributes, `no PriorityClass with name ${named} was found`);
      setComputed(attributes, pod, found);
    },
    validate(attributes) {
      const { resource, subresource, operation, object } = attributes;
      if (resource.group !== PRIORITY_CLASSES.group || resource.resource !== PRIORITY_CLASSES.resource) return;
      if (subresource !== "" || object?.globalDefault !== true) return;
      const other = globalDefault();
      if (!other || (operation === "UPDATE" && other.metadata.name === object.metadata.name)) return;
      const why = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`;
      throw refusal(attributes, why);
    },
  };
}

function setComputed(attributes: AdmissionAttributes, pod: KubeObject, found: KubeObject | undefined): void {
  const spec = ensurePath(pod, "spec");
  const value = Number(found?.value ?? 0);
  const policy = String(found?.preemptionPolicy ?? "PreemptLowerPriority");
  const differs = (given: Json | undefined, computed: Json): boolean =>
    given !== undefined && given !== null && given !== computed;
  const computed = "must not be provided in pod spec; priority admission controller computed";
  const from = "from the given PriorityClass name";
  if (differs(spec.priority, value)) {
    throw refusal(attributes, `the integer value of priority (${String(spec.priority)}) ${computed} ${value} ${from}`);
  }
  if (differs(spec.preemptionPolicy, policy)) {
    const given = String(spec.preemptionPolicy);
    throw refusal(attributes, `the string value of PreemptionPolicy (${given}) ${computed} ${policy} ${from}`);
  }
  if (found) spec.priorityClassName = found.metadata.name ?? "";
  spec.priority = value;
  spec.preemptionPolicy = policy;
}

function keepComputed(pod: KubeObject, old: KubeObject): void {
  for (const field of ["priority", "preemptionPolicy"]) {
    const before = getPath(old, "spec", field);
    if (before !== undefined && getPath(pod, "spec", field) === undefined) ensurePath(pod, "spec")[field] = before;
  }
}
