import { deepEqual } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

type Pod = Immutable<core.Pod>;
type Service = Immutable<core.Service>;

/** Whether the pod's condition says that it takes requests. */
export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}

/** Whether a pod is being deleted. */
export function isEnding({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/** A pod that has an address and has not run to its end. */
export function isReachable(pod: Pod): boolean {
  const { phase, podIP } = pod.status ?? {};
  return phase !== "Succeeded" && phase !== "Failed" && (podIP !== undefined || podIPs(pod).length > 0);
}

/** The addresses of a pod, of all families. */
export function podIPs({ status }: Pod): readonly string[] {
  const listed = (status?.podIPs ?? []).map(({ ip }) => ip);
  return listed.length > 0 || status?.podIP === undefined ? listed : [status.podIP];
}

/** The name by which a pod is found below a Service that gives pods names. */
export function hostnameIn({ metadata }: Service, { spec }: Pod): string | undefined {
  return spec?.subdomain === metadata.name && spec?.hostname ? spec.hostname : undefined;
}

/** Who is behind an address. */
export function targetRef({ metadata }: Pod): core.ObjectReference {
  const { namespace = "", name = "", uid = "" } = metadata;
  return { kind: "Pod", namespace, name, uid };
}

/** The number of a Service's port on a pod, where a name is looked up among the ports of its containers; undefined where it has none. */
export function targetPort(
  { targetPort, port, protocol = "TCP" }: Immutable<core.ServicePort>,
  { spec }: Pod,
): number | undefined {
  if (typeof targetPort !== "string") return targetPort ?? port;
  const sidecars = spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === "Always") ?? [];
  for (const { ports = [] } of [...(spec?.containers ?? []), ...sidecars]) {
    const found = ports.find((offered) => offered.name === targetPort && (offered.protocol ?? "TCP") === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}

/** Whether a change of a pod may change endpoints: most changes of its status do not. */
export function endpointChanged(pod: Pod | undefined, previous: Pod | undefined): boolean {
  if (pod === undefined || previous === undefined) return true;
  return (
    isReady(pod) !== isReady(previous) ||
    isEnding(pod) !== isEnding(previous) ||
    isReachable(pod) !== isReachable(previous) ||
    pod.metadata.uid !== previous.metadata.uid ||
    pod.spec?.nodeName !== previous.spec?.nodeName ||
    podIPs(pod).join() !== podIPs(previous).join() ||
    !deepEqual(pod.metadata.labels ?? {}, previous.metadata.labels ?? {})
  );
}

/** Whether pods of a Service become its endpoints: others have theirs made by hand, or have none. */
export function hasPods({ spec }: Service): boolean {
  return spec !== undefined && spec.type !== "ExternalName" && Object.keys(spec.selector ?? {}).length > 0;
}

/** A Service without an address of its own, whose name leads to all of its pods. */
export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIP === undefined || spec.clusterIP === "" || spec.clusterIP === "None";
}
