import type { KubeObject } from "@gatewright/kube";
import { specOf, text, texts } from "../resources/object-fields.ts";
import type { WriteContext } from "../resources/resource.ts";

const OLD_HINTS = "service.kubernetes.io/topology-aware-hints";
const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";

/** What a Service asks for in vain, and what it should ask for in another way. */
export function warnOfService(object: KubeObject, _old: KubeObject | undefined, context: WriteContext): void {
  const spec = specOf(object);
  const type = text(spec, "type");
  const headless = type === "ClusterIP" && text(spec, "clusterIP") === "None";
  const hasExternalIPs = texts(spec, "externalIPs").length > 0;
  if (Object.hasOwn(object.metadata.annotations ?? {}, OLD_HINTS)) {
    context.warn(`annotation ${OLD_HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`);
  }
  if (headless) {
    const ignored = [
      ["loadBalancerIP", text(spec, "loadBalancerIP") !== ""],
      ["externalIPs", hasExternalIPs],
      ["SessionAffinity", text(spec, "sessionAffinity") !== "None"],
    ] as const;
    for (const [field, asked] of ignored) if (asked) context.warn(`spec.${field} is ignored for headless services`);
  }
  if (hasExternalIPs && !headless && type !== "ExternalName") {
    context.warn("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (hasExternalIPs && type === "ExternalName") {
    context.warn('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== "ExternalName" && text(spec, "externalName") !== "") {
    context.warn('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (text(spec, "trafficDistribution") === "PreferClose") {
    context.warn('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
}
