import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { apps } from "@gatewright/kube/api";

/** A ReplicaSet as rollouts see it: in numbers. */
export interface Size {
  readonly name: string;
  /** Pods that it is asked for. */
  readonly replicas: number;
  /** Pods that it has, by its status. */
  readonly actual: number;
  /** Of these, available ones that are still asked for. */
  readonly available: number;
  readonly createdAt: number;
  /** Whether its status was told after it was last resized: otherwise it may have pods that nobody asks for any more. */
  readonly settled: boolean;
}

/** Another number of pods for a ReplicaSet. */
export interface Resize {
  readonly name: string;
  readonly to: number;
}

export function sizeOf({ metadata, spec, status }: Immutable<apps.ReplicaSet>): Size {
  const replicas = spec?.replicas ?? 1;
  return {
    name: metadata.name ?? "",
    replicas,
    actual: status?.replicas ?? 0,
    available: Math.min(status?.availableReplicas ?? 0, replicas),
    createdAt: parseTime(metadata.creationTimestamp ?? "") ?? 0,
    settled: (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0),
  };
}

/** A ReplicaSet that is yet to be made. */
export function unmade(name: string): Size {
  return { name, replicas: 0, actual: 0, available: 0, createdAt: Number.POSITIVE_INFINITY, settled: true };
}

/** Older ones first. */
export function byAge(a: Size, b: Size): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

export function sum(sizes: readonly Size[], of: (size: Size) => number): number {
  return sizes.reduce((total, size) => total + of(size), 0);
}

/**
 * Pods that there are or may be in a moment: what is asked for may not be made yet, what is not asked for may not be gone yet.
 * Undefined when that cannot be told.
 */
export function occupied(sizes: readonly Size[]): number | undefined {
  if (!sizes.every(({ settled }) => settled)) return undefined;
  return sum(sizes, ({ replicas, actual }) => Math.max(replicas, actual));
}
