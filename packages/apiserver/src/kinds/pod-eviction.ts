import {
  badRequest,
  formatTime,
  internalError,
  notFound,
  selectorFromObject,
  setOwn,
  StatusError,
} from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { count, number, struct, structOf, structs, text } from "../resources/object-fields.ts";
import type { ActionSubresource, WriteContext } from "../resources/resource.ts";
import type { DeleteRequest } from "../cluster.ts";
import { created } from "./pod-binding.ts";
import { changeStored } from "./stored-object.ts";

const PODS = { group: "", resource: "pods" };
const BUDGETS = { group: "policy", resource: "poddisruptionbudgets" };
/** Evictions that a budget remembers until its controller has seen them. */
const MAX_DISRUPTED = 2000;

function refused(budget: KubeObject, why: string): StatusError {
  const status = struct(budget, "status");
  const counts = `needs ${count(status, "desiredHealthy")} healthy pods and has ${count(status, "currentHealthy")} currently`;
  return new StatusError({
    code: 429,
    reason: "TooManyRequests",
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [
        { reason: "DisruptionBudget", message: why || `The disruption budget ${budget.metadata.name ?? ""} ${counts}` },
      ],
    },
  });
}

function take(budget: KubeObject, pod: string, now: number): void {
  const status = structOf(budget, "status");
  const allowed = count(status, "disruptionsAllowed");
  const disrupted: JsonObject = { ...struct(status, "disruptedPods") };
  if (count(status, "observedGeneration") < (budget.metadata.generation ?? 0)) {
    throw refused(
      budget,
      `The disruption budget ${budget.metadata.name ?? ""} is still being processed by the server.`,
    );
  }
  if (allowed <= 0 || Object.keys(disrupted).length > MAX_DISRUPTED) throw refused(budget, "");
  setOwn(disrupted, pod, formatTime(now));
  status["disruptionsAllowed"] = allowed - 1;
  status["disruptedPods"] = disrupted;
}

/** Pods that do not run yet, or no more, disturb nobody by going. */
function isFree(pod: KubeObject): boolean {
  const phase = text(struct(pod, "status"), "phase");
  return phase === "Pending" || phase === "Succeeded" || phase === "Failed" || Boolean(pod.metadata.deletionTimestamp);
}

function isReady(pod: KubeObject): boolean {
  return structs(struct(pod, "status"), "conditions").some(
    (c) => text(c, "type") === "Ready" && text(c, "status") === "True",
  );
}

async function askBudget(pod: KubeObject, context: WriteContext): Promise<void> {
  const labels = pod.metadata.labels ?? {};
  const budgets = [...context.cluster.list(BUDGETS, context.namespace)].filter((budget) =>
    selectorFromObject(struct(budget, "spec")?.["selector"]).matches(labels),
  );
  const [budget] = budgets;
  if (!budget) return;
  if (budgets.length > 1) {
    throw internalError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const status = struct(budget, "status");
  const healthy = count(status, "currentHealthy") >= count(status, "desiredHealthy");
  const always = text(struct(budget, "spec"), "unhealthyPodEvictionPolicy") === "AlwaysAllow";
  if (!isReady(pod) && (always || (healthy && count(status, "desiredHealthy") > 0))) return;
  if (context.dryRun) return take(structuredClone(budget), pod.metadata.name ?? "", context.now);
  const key = `${context.namespace}/${budget.metadata.name ?? ""}`;
  await changeStored(context.cluster, "poddisruptionbudgets.policy", key, (b) =>
    take(b, pod.metadata.name ?? "", context.now),
  );
}

function deletion(body: JsonObject): DeleteRequest {
  const options = struct(body, "deleteOptions");
  const preconditions = struct(options, "preconditions");
  const [grace, uid, version] = [
    number(options, "gracePeriodSeconds"),
    text(preconditions, "uid"),
    text(preconditions, "resourceVersion"),
  ];
  return {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(uid !== "" && { uid }),
    ...(version !== "" && { resourceVersion: version }),
  };
}

/** `eviction`: a deletion that asks the disruption budgets first. */
export const podEviction: ActionSubresource = {
  type: "action",
  kind: { group: "policy", version: "v1", kind: "Eviction" },
  async create(body, pod, name, context) {
    const named = text(struct(body, "metadata"), "name");
    if (named !== name) throw badRequest("name in URL does not match name in Eviction object");
    if (!pod) throw notFound(PODS, name);
    if (!isFree(pod)) await askBudget(pod, context);
    if (!context.dryRun) await context.cluster.delete(PODS, context.namespace, name, deletion(body));
    return created();
  },
};
