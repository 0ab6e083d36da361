import type { RolloutBounds } from "./rollout-bounds.ts";
import { byAge, occupied, sum } from "./size.ts";
import type { Resize, Size } from "./size.ts";

/** A ReplicaSet and the most pods that the Deployment could have when it was last resized, if that is written on it. */
export interface Noted extends Size {
  readonly mostBefore: number | undefined;
}

/** What is rescaled: a Deployment that is paused, or whose number of pods was changed in the middle of a rollout. */
export interface Rescaled {
  readonly bounds: RolloutBounds;
  readonly rolling: boolean;
  readonly current: Noted | undefined;
  /** Whether the new ReplicaSet has all pods that are wanted, and all of them are available. */
  readonly saturated: boolean;
  readonly old: readonly Noted[];
  /** Pods by the Deployment's status. */
  readonly replicas: number;
}

/**
 * The sizes that follow a change of the wanted number, the rollout standing still. One ReplicaSet takes all of it; several share it
 * in proportion, which spreads the risk as it was spread. Pure. ReplicaSets that keep their size are named too: what is noted on
 * them has changed.
 */
export function rescale(seen: Rescaled): readonly Resize[] {
  const { bounds, current, old } = seen;
  const all = current === undefined ? old : [...old, current];
  const active = all.filter(({ replicas }) => replicas > 0);
  if (active.length <= 1) {
    const only = active[0] ?? current ?? [...old].sort(byAge).at(-1);
    return only === undefined ? [] : [{ name: only.name, to: bounds.desired }];
  }
  if (seen.saturated) {
    return active.filter((size) => size !== current).map(({ name }) => ({ name, to: 0 }));
  }
  return seen.rolling ? proportional(seen, active) : [];
}

function proportional(
  { bounds: { desired, maxSurge }, replicas }: Rescaled,
  active: readonly Noted[],
): readonly Resize[] {
  const most = desired === 0 ? 0 : desired + maxSurge;
  const toAdd = most - sum(active, (size) => size.replicas);
  // Pods that are not gone yet would be too many together with new ones: their end leads here again.
  const taken = occupied(active);
  if (toAdd > 0 && (taken === undefined || taken > most - toAdd)) return [];
  const larger = (a: Noted, b: Noted): number => b.replicas - a.replicas || (toAdd > 0 ? byAge(b, a) : byAge(a, b));
  let added = 0;
  const resizes = [...active].sort(larger).map((size) => {
    const fraction = fractionOf(size, desired, desired + maxSurge, size.mostBefore ?? replicas);
    const share = toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
    const change = toAdd === 0 || toAdd === added ? 0 : share;
    added += change;
    return { name: size.name, to: size.replicas + change };
  });
  // What rounding left over goes to, or comes from, the largest.
  return resizes.map(({ name, to }, at) => ({ name, to: at === 0 ? Math.max(to + toAdd - added, 0) : to }));
}

/** How many more (or fewer) pods keep a ReplicaSet's share of the whole. */
function fractionOf({ replicas }: Noted, desired: number, most: number, mostBefore: number): number {
  if (desired === 0) return -replicas;
  if (mostBefore === 0) return 0;
  return Math.round((replicas * most) / mostBefore) - replicas;
}
