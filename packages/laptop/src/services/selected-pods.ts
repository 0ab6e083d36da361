import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { CacheReader } from "@gatewright/runtime";

type Labels = Readonly<Record<string, string>>;

/** The name of an index of pods by each of their labels, and of Services by each entry of their selector. */
export const BY_LABEL = "label";

const entryKey = (namespace: string, key: string, value: string): string => `${namespace}/${key}=${value}`;

function entryKeys(namespace = "", labels: Labels = {}): readonly string[] {
  return Object.entries(labels).map(([key, value]) => entryKey(namespace, key, value));
}

/** Files a pod under its labels. */
export function labelsOfPod({ metadata }: Immutable<core.Pod>): readonly string[] {
  return entryKeys(metadata.namespace, metadata.labels);
}

/** Files a Service under the entries of its selector. */
export function selectorOfService({ metadata, spec }: Immutable<core.Service>): readonly string[] {
  return entryKeys(metadata.namespace, spec?.selector);
}

function matches(selector: Labels, labels: Labels = {}): boolean {
  return Object.entries(selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** So few that looking for a narrower entry of the selector is not worth it. */
const FEW = 16;

/** The pods that a Service selects: looked up by the entry of its selector that the fewest pods have. */
export function selectedPods(
  pods: Pick<CacheReader<core.Pod>, "byIndex">,
  service: Immutable<core.Service>,
): readonly Immutable<core.Pod>[] {
  const selector = service.spec?.selector ?? {};
  let fewest: readonly Immutable<core.Pod>[] | undefined;
  for (const entry of selectorOfService(service)) {
    const found = pods.byIndex(BY_LABEL, entry);
    if (fewest === undefined || found.length < fewest.length) fewest = found;
    if (fewest.length <= FEW) break;
  }
  return (fewest ?? []).filter(({ metadata }) => matches(selector, metadata.labels));
}

/** The Services that select a pod. */
export function servicesOfPod(
  services: Pick<CacheReader<core.Service>, "byIndex">,
  { metadata: { namespace = "", labels = {} } }: Immutable<core.Pod>,
): readonly ObjectRef[] {
  const names = new Set<string>();
  for (const entry of entryKeys(namespace, labels)) {
    for (const { metadata, spec } of services.byIndex(BY_LABEL, entry)) {
      if (metadata.name !== undefined && matches(spec?.selector ?? {}, labels)) names.add(metadata.name);
    }
  }
  return Array.from(names, (name) => ({ namespace, name }));
}
