import { ensurePath, isObject } from "@gatewright/kube";
import type { AdmissionPlugin } from "./admission.ts";

const NOT_READY = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** A new node takes no pods until somebody finds it ready and removes the taint. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: "TaintNodesByCondition",
  mutate({ operation, resource, subresource, object: node }) {
    if (operation !== "CREATE" || !node || subresource !== "") return;
    if (resource.group !== "" || resource.resource !== "nodes") return;
    const spec = ensurePath(node, "spec");
    const taints = (Array.isArray(spec.taints) ? spec.taints : []).filter(isObject);
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return;
    spec.taints = [...taints, { ...NOT_READY }];
  },
};
