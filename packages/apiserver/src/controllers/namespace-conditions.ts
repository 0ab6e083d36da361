import { formatTime } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";

/** How far the removal of a namespace's content has come. */
export interface Removal {
  /** `pods.` or `widgets.example.com` to how many objects are left. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Finalizer to how many of the objects that are left it holds. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why deletions failed. */
  readonly failures: readonly string[];
}

interface Finding {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

const FINE: readonly Finding[] = [
  fine("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
  fine(
    "NamespaceDeletionGroupVersionParsingFailure",
    "ParsedGroupVersions",
    "All legacy kube types successfully parsed",
  ),
  fine(
    "NamespaceDeletionContentFailure",
    "ContentDeleted",
    "All content successfully deleted, may be waiting on finalization",
  ),
  fine("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed"),
  fine("NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished"),
];

function fine(type: string, reason: string, message: string): Finding {
  return { type, status: "False", reason, message };
}

function told(counts: ReadonlyMap<string, number>, verb: "has" | "in"): string {
  return [...counts]
    .map(([what, count]) => `${what} ${verb} ${count} resource instances`)
    .sort()
    .join(", ");
}

function trouble({ remaining, finalizers, failures }: Removal): Finding[] {
  const found: Finding[] = [];
  const add = (type: string, reason: string, message: string): void => {
    found.push({ type, status: "True", reason, message });
  };
  if (failures.length > 0) {
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(", ")}`;
    add("NamespaceDeletionContentFailure", "ContentDeletionFailed", message);
  }
  if (remaining.size > 0) {
    add("NamespaceContentRemaining", "SomeResourcesRemain", `Some resources are remaining: ${told(remaining, "has")}`);
  }
  if (finalizers.size > 0) {
    const message = `Some content in the namespace has finalizers remaining: ${told(finalizers, "in")}`;
    add("NamespaceFinalizersRemaining", "SomeFinalizersRemain", message);
  }
  return found;
}

/**
 * The conditions that tell how far the removal has come: those before, changed where they no longer hold, with new ones
 * at the end. Undefined when nothing changes. A transition time moves only with its status.
 */
export function namespaceConditions(
  before: readonly JsonObject[],
  removal: Removal,
  now: number,
): JsonObject[] | undefined {
  const bad = trouble(removal);
  const conditions = [...before];
  let changed = false;
  for (const good of FINE) {
    const finding = bad.find(({ type }) => type === good.type) ?? good;
    const index = conditions.findIndex(({ type }) => type === good.type);
    const old = conditions[index];
    if (old && old.status === finding.status && old.reason === finding.reason && old.message === finding.message)
      continue;
    changed = true;
    const since = old?.status === finding.status ? old.lastTransitionTime : undefined;
    const { type, status, reason, message } = finding;
    const next = { type, status, lastTransitionTime: since ?? formatTime(now), reason, message };
    if (old) conditions[index] = next;
    else conditions.push(next);
  }
  return changed ? conditions : undefined;
}
