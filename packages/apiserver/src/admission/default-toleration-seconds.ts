import { ensurePath, isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { AdmissionPlugin } from "./admission.ts";

const TAINTS = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];
const SECONDS = 300;

/** Pods tolerate a node that is not ready or not reachable for five minutes, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: "DefaultTolerationSeconds",
  mutate({ operation, resource, subresource, object: pod }) {
    if (!pod || resource.group !== "" || resource.resource !== "pods" || subresource !== "") return;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    const spec = ensurePath(pod, "spec");
    const tolerations = (Array.isArray(spec.tolerations) ? spec.tolerations : []).filter(isObject);
    const missing = TAINTS.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
    if (missing.length === 0) return;
    spec.tolerations = [
      ...tolerations,
      ...missing.map((key) => ({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: SECONDS })),
    ];
  },
};

function tolerates({ key = "", effect = "" }: JsonObject, taint: string): boolean {
  return (key === taint || key === "") && (effect === "NoExecute" || effect === "");
}
