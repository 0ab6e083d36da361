import type { ApiObject, Immutable } from "@gatewright/kube";
import type { core, discovery } from "@gatewright/kube/api";

/** Says when the pods last changed; ours do not. */
const TRIGGER = "endpoints.kubernetes.io/last-change-trigger-time";

/** All that endpoints say, without what is another in each run: uids, times, versions, generated names, the order of lists. */
export function endpointFacts(
  slices: readonly Immutable<discovery.EndpointSlice>[],
  endpoints: readonly Immutable<core.Endpoints>[],
): string {
  const told = [
    ...slices.map(({ metadata, addressType, endpoints: held, ports }) => ({
      kind: "EndpointSlice",
      name: metadata.name?.replace(/-[a-z0-9]{5}$/, "-*"),
      generateName: metadata.generateName,
      ...about(metadata),
      addressType,
      ports,
      endpoints: held,
    })),
    ...endpoints.map(({ metadata, subsets }) => ({
      kind: "Endpoints",
      name: metadata.name,
      ...about(metadata),
      subsets,
    })),
  ];
  return JSON.stringify(normal(told), undefined, 1);
}

function about({ labels, annotations, ownerReferences }: Immutable<ApiObject>["metadata"]): object {
  const { [TRIGGER]: _time, ...others } = annotations ?? {};
  return { labels, annotations: others, ownerReferences };
}

function normal(value: unknown, key = ""): unknown {
  if (key === "uid") return "<uid>";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => normal(item));
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  const entries = Object.entries(value).map(([name, inner]) => [name, normal(inner, name)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
