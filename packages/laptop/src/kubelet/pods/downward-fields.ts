import { parseQuantity, roundedUp } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { entryOf } from "./pod-run.ts";

type Pod = Immutable<core.Pod>;

/** What a pod may know of the place where it runs. */
export interface Whereabouts {
  readonly podIP: string;
  readonly hostIP: string;
  readonly nodeName: string;
  readonly allocatable: Readonly<Record<string, string>>;
}

const ENTRY = /^metadata\.(labels|annotations)\['([^']+)'\]$/;

/** The value of a `fieldRef`; undefined for a path that is not known. */
export function downwardField(pod: Pod, where: Whereabouts, path: string): string | undefined {
  const { metadata, spec } = pod;
  const entry = ENTRY.exec(path);
  if (entry !== null)
    return entryOf(entry[1] === "labels" ? metadata.labels : metadata.annotations, entry[2] ?? "") ?? "";
  switch (path) {
    case "metadata.name":
      return metadata.name ?? "";
    case "metadata.namespace":
      return metadata.namespace ?? "";
    case "metadata.uid":
      return metadata.uid ?? "";
    case "metadata.labels":
      return listed(metadata.labels);
    case "metadata.annotations":
      return listed(metadata.annotations);
    case "spec.nodeName":
      return where.nodeName;
    case "spec.serviceAccountName":
      return spec?.serviceAccountName ?? "";
    case "status.hostIP":
    case "status.hostIPs":
      return where.hostIP;
    case "status.podIP":
    case "status.podIPs":
      return where.podIP;
    default:
      return undefined;
  }
}

/** The value of a `resourceFieldRef`: what the container asked for, or all that the node has. */
export function downwardResource(
  pod: Pod,
  container: Immutable<core.Container>,
  where: Whereabouts,
  { resource, divisor, containerName }: Immutable<core.ResourceFieldSelector>,
): string | undefined {
  const [kind, ...rest] = resource.split(".");
  const name = rest.join(".");
  const all = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])];
  const { resources } = all.find((candidate) => candidate.name === containerName) ?? container;
  const list = kind === "limits" ? resources?.limits : kind === "requests" ? resources?.requests : undefined;
  if (kind !== "limits" && kind !== "requests") return undefined;
  const amount = entryOf(list, name) ?? (kind === "limits" ? entryOf(where.allocatable, name) : undefined) ?? "0";
  const unit = parseQuantity((divisor ?? "0").replace(/^0$/, "1"));
  // Thousandths on both sides: a divisor may be `1m`.
  const [value, by] = [roundedUp(parseQuantity(amount), -3), roundedUp(unit, -3)];
  return String((value + by - 1n) / by);
}

function listed(entries: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(entries ?? {})
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .toSorted()
    .join("\n");
}
