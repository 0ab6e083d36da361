import type { Immutable } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { Application } from "@gatewright/resources";
import type { Cause } from "../chain.ts";
import { conditionState } from "../condition-state.ts";
import { kubectl } from "../kubectl.ts";
import type { Known } from "../known.ts";
import { link, unreadLink } from "../link.ts";
import { subjectOf } from "../subject.ts";
import { unseen } from "./object-link.ts";
import { sentence } from "./pod.ts";
import { selectorText } from "./selector-text.ts";
import { hasFailed, isReady, podLinks } from "./pods.ts";

const WORDS = ["kubernetes", "found"] as const;

/** A Deployment, its newest ReplicaSet, and their pods. */
export function deploymentLink(known: Known, deployment: Immutable<apps.Deployment>): Cause {
  const { metadata, spec, status } = deployment;
  const { namespace = "", name = "" } = metadata;
  const about = { title: `Deployment ${name}`, subject: subjectOf(apps.Deployment, { namespace, name }), words: WORDS };
  const wanted = spec?.replicas ?? 1;
  if (wanted === 0) {
    // An Application puts back what was not said to it.
    const application = metadata.ownerReferences?.find(({ kind }) => kind === Application.kind);
    const asked = application ?? { kind: "Deployment", name };
    const next = [{ text: "Ask for one or more replicas.", command: kubectl.scale(namespace, asked.kind, asked.name) }];
    return link({ ...about, state: "broken", reason: "ScaledToZero", message: "It asks for no pods.", next });
  }
  if (status?.observedGeneration === undefined)
    return link({ ...about, ...unseen(metadata.creationTimestamp, known.now) });
  const on = workload(known, deployment);
  const { availableReplicas = 0, updatedReplicas = 0, replicas = 0 } = status;
  const conditions = status.conditions ?? [];
  const count = `${availableReplicas} of ${wanted} replicas are available.`;
  const failure = conditions.find(({ type, status: held }) => type === "ReplicaFailure" && held === "True");
  if (failure !== undefined) {
    const { reason = "FailedCreate", message = "", lastTransitionTime: since } = failure;
    return link({ ...about, state: "broken", reason, message: sentence(message), since, on });
  }
  const stalled = conditions.find(({ reason }) => reason === "ProgressDeadlineExceeded");
  const isCurrent = status.observedGeneration >= (metadata.generation ?? 0) && updatedReplicas >= wanted;
  if (isCurrent && availableReplicas >= wanted && replicas <= updatedReplicas) {
    return link({ ...about, state: "ok", message: count, on });
  }
  const available = conditions.find(({ type }) => type === "Available");
  const { lastTransitionTime: since } = stalled ?? available ?? {};
  if (stalled !== undefined) {
    return link({ ...about, state: "broken", reason: "ProgressDeadlineExceeded", message: count, since, on });
  }
  if (available?.status === "True") {
    const message = `${count} ${updatedReplicas} are of the newest spec.`;
    return link({ ...about, state: isCurrent ? "warning" : "waiting", reason: "RollingOut", message, since, on });
  }
  const state = available === undefined ? "waiting" : conditionState(available, undefined, WORDS, known.now);
  return link({ ...about, state, reason: "MinimumReplicasUnavailable", message: count, since, on });
}

function workload(known: Known, { metadata, spec }: Immutable<apps.Deployment>): readonly Cause[] {
  const { namespace = "", uid } = metadata;
  const labelSelector = selectorText(spec?.selector);
  const sets = known.list(apps.ReplicaSet, { namespace, labelSelector });
  if (sets.state === "unknown") return [unreadLink("ReplicaSets", sets.problem)];
  const newest = sets.items
    .filter((set) => set.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true)
    .toSorted((a, b) => revision(b) - revision(a))[0];
  return newest === undefined ? [] : [replicaSetLink(known, newest)];
}

function revision({ metadata }: Immutable<apps.ReplicaSet>): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
}

/** A ReplicaSet and its pods. */
export function replicaSetLink(known: Known, { metadata, spec, status }: Immutable<apps.ReplicaSet>): Cause {
  const { namespace = "", name = "", uid } = metadata;
  const about = { title: `ReplicaSet ${name}`, subject: subjectOf(apps.ReplicaSet, { namespace, name }), words: WORDS };
  const labelSelector = selectorText(spec?.selector);
  const seen = known.list(core.Pod, { namespace, labelSelector });
  if (seen.state === "unknown") return link({ ...about, state: "ok", on: [unreadLink("Pods", seen.problem)] });
  const pods = seen.items.filter((pod) => pod.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true);
  const [wanted, ready] = [spec?.replicas ?? 1, pods.filter(isReady).length];
  // Evicted pods stay for long. Once others do their work they are history, and no cause of anything.
  const on = podLinks(known, ready >= wanted ? pods.filter((pod) => !hasFailed(pod)) : pods);
  const failure = status?.conditions?.find(({ type, status: held }) => type === "ReplicaFailure" && held === "True");
  if (failure !== undefined) {
    const { reason = "FailedCreate", message = "", lastTransitionTime: since } = failure;
    return link({ ...about, state: "broken", reason, message: sentence(message), since, on });
  }
  const isWhole = ready >= wanted && wanted > 0;
  const worst = on[0]?.state ?? "waiting";
  return link({
    ...about,
    state: isWhole ? "ok" : wanted === 0 ? "broken" : worst === "ok" ? "waiting" : worst,
    reason: isWhole ? "" : wanted === 0 ? "ScaledToZero" : "NotReady",
    message: `${ready} of ${wanted} pods are ready.`,
    next: [],
    on,
  });
}
