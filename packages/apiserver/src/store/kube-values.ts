import { serviceUnavailable } from "@gatewright/kube";
import type { KubeObject } from "@gatewright/kube";
import type { ValueRules } from "@gatewright/store";

/** Kubernetes objects as values of a store: their own labels, the revision inside them, and errors that clients understand. */
export const kubeValues: ValueRules<KubeObject> = {
  labelsOf: ({ metadata }) => metadata.labels,
  lastState: (object, revision) => {
    object.metadata.resourceVersion = String(revision);
    return object;
  },
  isLeaving: ({ metadata }) => metadata.deletionTimestamp !== undefined,
  unavailable: serviceUnavailable,
};
