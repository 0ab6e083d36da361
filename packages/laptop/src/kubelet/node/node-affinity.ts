import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

/** Whether a pod wants to be on this node: by its node selector and by the affinity that it insists on. */
export function wantsNode(spec: Immutable<core.PodSpec>, node: Immutable<core.Node>): boolean {
  const labels = new Map(Object.entries(node.metadata.labels ?? {}));
  const selected = Object.entries(spec.nodeSelector ?? {}).every(([key, value]) => labels.get(key) === value);
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return selected && (terms === undefined || terms.some((term) => fits(term, labels, node)));
}

/** All of a term must hold; a term that says nothing fits nothing. */
function fits(
  { matchExpressions = [], matchFields = [] }: Immutable<core.NodeSelectorTerm>,
  labels: ReadonlyMap<string, string>,
  node: Immutable<core.Node>,
): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const fields = new Map([["metadata.name", node.metadata.name ?? ""]]);
  return (
    matchExpressions.every((requirement) => holds(requirement, labels)) &&
    matchFields.every((requirement) => holds(requirement, fields))
  );
}

function holds(
  { key, operator, values = [] }: Immutable<core.NodeSelectorRequirement>,
  labels: ReadonlyMap<string, string>,
): boolean {
  const value = labels.get(key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return value !== undefined && Number(value) > Number(values[0]);
    case "Lt":
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
