import { formatGroupResource, getPath, integerQuantity, isObject, parseTime, quantityOf } from "@gatewright/kube";
import type { GroupResource, JsonObject, KubeObject, Quantity } from "@gatewright/kube";
import { podAmounts, readAmounts } from "../pod-resources.ts";
import type { ResourceAmounts } from "../pod-resources.ts";

/** Core kinds that quotas may also count by their bare name. */
const BARE_COUNTS: ReadonlySet<string> = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
]);
const COMPUTE = ["cpu", "memory", "ephemeral-storage"];
const STORAGE_CLASS = ".storageclass.storage.k8s.io/";
const count = (value: number): Quantity => integerQuantity(BigInt(value));

/** The resource whose objects use up what a quota calls `name`: `requests.cpu`, `services.nodeports`, `count/jobs.batch`. */
export function sourceOf(name: string): GroupResource | undefined {
  if (name.startsWith("count/")) {
    const full = name.slice("count/".length);
    const dot = full.indexOf(".");
    return dot < 0 ? { group: "", resource: full } : { group: full.slice(dot + 1), resource: full.slice(0, dot) };
  }
  if (name === "requests.storage" || name.includes(STORAGE_CLASS))
    return { group: "", resource: "persistentvolumeclaims" };
  if (name.startsWith("services.")) return { group: "", resource: "services" };
  if (BARE_COUNTS.has(name)) return { group: "", resource: name };
  const isPods = name === "pods" || COMPUTE.includes(name) || name.startsWith("hugepages-");
  return isPods || name.startsWith("requests.") || name.startsWith("limits.")
    ? { group: "", resource: "pods" }
    : undefined;
}

/** Whether each object uses up exactly one of `name`, so that counting them is enough. */
export function isPlainCount(name: string): boolean {
  return name.startsWith("count/") || BARE_COUNTS.has(name);
}

/** Everything that one object uses up, by the names that quotas have for it. */
export function usageOf(resource: GroupResource, object: KubeObject, now: number): ResourceAmounts {
  const usage: ResourceAmounts = new Map([[`count/${formatGroupResource(resource)}`, count(1)]]);
  if (resource.group !== "") return usage;
  if (BARE_COUNTS.has(resource.resource)) usage.set(resource.resource, count(1));
  if (resource.resource === "pods" && isAlive(object, now)) addPod(usage, object);
  if (resource.resource === "services") addService(usage, object);
  if (resource.resource === "persistentvolumeclaims") addClaim(usage, object);
  return usage;
}

/** Pods that have ended, or should have, use nothing but their place in the store. */
function isAlive(pod: KubeObject, now: number): boolean {
  const phase = getPath(pod, "status", "phase");
  if (phase === "Failed" || phase === "Succeeded") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= (parseTime(deletionTimestamp) ?? now) + deletionGracePeriodSeconds * 1000;
}

function addPod(usage: ResourceAmounts, pod: KubeObject): void {
  usage.set("pods", count(1));
  computeUsage(usage, podAmounts(pod, "requests"), podAmounts(pod, "limits"));
}

/** Requests and limits by the names that quotas have for them. */
export function computeUsage(usage: ResourceAmounts, requests: ResourceAmounts, limits: ResourceAmounts): void {
  for (const [name, amount] of requests) {
    if (COMPUTE.includes(name) || name.startsWith("hugepages-")) usage.set(name, amount);
    if (COMPUTE.includes(name) || name.startsWith("hugepages-") || name.includes("/"))
      usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (COMPUTE.includes(name)) usage.set(`limits.${name}`, amount);
}

function addService(usage: ResourceAmounts, service: KubeObject): void {
  const spec = isObject(service.spec) ? service.spec : {};
  const ports = Array.isArray(spec.ports) ? spec.ports.filter(isObject) : [];
  const balanced = spec.type === "LoadBalancer";
  const onlyGiven = balanced && spec.allocateLoadBalancerNodePorts === false;
  const nodePorts = onlyGiven ? ports.filter((port: JsonObject) => (port.nodePort ?? 0) !== 0).length : ports.length;
  usage.set("services.loadbalancers", count(balanced ? 1 : 0));
  usage.set("services.nodeports", count(balanced || spec.type === "NodePort" ? nodePorts : 0));
}

function addClaim(usage: ResourceAmounts, claim: KubeObject): void {
  const storageClass = getPath(claim, "spec", "storageClassName");
  const prefix =
    typeof storageClass === "string" && storageClass !== "" ? `${storageClass}${STORAGE_CLASS}` : undefined;
  if (prefix) usage.set(`${prefix}persistentvolumeclaims`, count(1));
  const storage = readAmounts(getPath(claim, "spec", "resources", "requests")).get("storage") ?? quantityOf("0");
  if (!storage) return;
  usage.set("requests.storage", storage);
  if (prefix) usage.set(`${prefix}requests.storage`, storage);
}
