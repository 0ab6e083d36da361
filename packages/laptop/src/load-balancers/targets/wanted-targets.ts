import { selectorFromObject } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";
import type { TargetBinding } from "../model/model.ts";

export interface Target {
  readonly id: string;
  readonly port: number;
}

/** What of the cluster decides over targets. */
export interface TargetGrounds {
  /** Undefined when it is gone. */
  readonly service: Immutable<core.Service> | undefined;
  readonly slices: readonly Immutable<discovery.EndpointSlice>[];
  readonly nodes: readonly Immutable<core.Node>[];
}

const EXCLUDED = "node.kubernetes.io/exclude-from-external-load-balancers";

/**
 * The targets that a group should have. Of pods only those that are ready: one that terminates is not, though it may still serve, and
 * so leaves before it stops.
 */
export function wantedTargets(binding: TargetBinding, grounds: TargetGrounds): readonly Target[] {
  const port = grounds.service?.spec?.ports?.find((each) => each.port === binding.port);
  if (port === undefined) return [];
  const found =
    binding.targetType === "ip" ? podTargets(port.name ?? "", grounds) : nodeTargets(binding, port, grounds);
  return [...new Map(found.map((target) => [`${target.id}:${target.port}`, target])).values()];
}

function podTargets(portName: string, { slices }: TargetGrounds): readonly Target[] {
  // Lists without entries are null here, so defaults of patterns do not help.
  return slices.flatMap(({ addressType, ports, endpoints }) => {
    const port = ports?.find((each) => (each.name ?? "") === portName)?.port;
    if (addressType !== "IPv4" || port === undefined) return [];
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.map((id) => ({ id, port })));
  });
}

function nodeTargets(
  { nodeSelector }: TargetBinding,
  { nodePort: port }: { readonly nodePort?: number },
  { nodes }: TargetGrounds,
): readonly Target[] {
  if (port === undefined) return [];
  const selector = nodeSelector === undefined ? undefined : selectorFromObject(nodeSelector as Json);
  return nodes.flatMap(({ metadata, spec, status }) => {
    // aws:///zone/i-0123456789abcdef0
    const id = spec?.providerID?.split("/").at(-1);
    const ready = status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") === true;
    const excluded = Object.hasOwn(metadata.labels ?? {}, EXCLUDED) || selector?.matches(metadata.labels) === false;
    return ready && !excluded && id?.startsWith("i-") === true ? [{ id, port }] : [];
  });
}
