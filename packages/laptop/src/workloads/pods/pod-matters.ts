import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Predicate } from "@gatewright/runtime";
import { isReady, readySince } from "./pod-state.ts";

type Pod = Immutable<core.Pod>;

/** Whether a change of a pod can change what its owner does: its phase, readiness, deletion, labels, owners or finalizers. */
export const podMatters: Predicate<core.Pod> = (pod, previous) =>
  pod === undefined ||
  previous === undefined ||
  pod.status?.phase !== previous.status?.phase ||
  pod.metadata.deletionTimestamp !== previous.metadata.deletionTimestamp ||
  isReady(pod) !== isReady(previous) ||
  readySince(pod) !== readySince(previous) ||
  !deepEqual(marks(pod), marks(previous));

function marks({ metadata: { labels, ownerReferences, finalizers } }: Pod): Json {
  return [labels ?? {}, ownerReferences ?? [], finalizers ?? []] as Json;
}
