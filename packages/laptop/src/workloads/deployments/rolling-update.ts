import type { RolloutBounds } from "./rollout-bounds.ts";
import { byAge, occupied, sum } from "./size.ts";
import type { Resize, Size } from "./size.ts";

/**
 * The next step of a rolling update: the new ReplicaSet grows as far as the surge lets it, or else the old ones shrink as far as
 * enough pods stay available. Pure. Never are more than `desired + maxSurge` pods asked for or there, and old pods that are available
 * go only while `desired - maxUnavailable` others are.
 *
 * A pod that is no longer asked for counts until its ReplicaSet says that it is gone. Kubernetes does not wait for that, so it may
 * have a pod too many for a moment; the steps are the same.
 */
export function rollingStep(bounds: RolloutBounds, current: Size, old: readonly Size[]): readonly Resize[] {
  const to = grown(bounds, current, old);
  return to === current.replicas ? shrunk(bounds, current, old) : [{ name: current.name, to }];
}

/** How many pods the new ReplicaSet may have now. */
export function grown({ desired, maxSurge }: RolloutBounds, current: Size, old: readonly Size[]): number {
  if (current.replicas >= desired) return desired;
  const taken = occupied([current, ...old]);
  if (taken === undefined) return current.replicas;
  return current.replicas + clamp(desired - current.replicas, desired + maxSurge - taken);
}

/** Old pods that are not available go first, wherever they are: they keep others from being made, and nobody misses them. */
function shrunk({ desired, maxUnavailable }: RolloutBounds, current: Size, old: readonly Size[]): readonly Resize[] {
  const all = [current, ...old];
  const enough = desired - maxUnavailable;
  let left = sum(all, ({ replicas }) => replicas) - enough - (current.replicas - current.available);
  let spare = sum(all, ({ available }) => available) - enough;
  const resizes: Resize[] = [];
  const taken = new Map<string, number>();
  const oldest = [...old].sort(byAge);
  const take = (name: string, count: number): void => {
    left -= count;
    taken.set(name, (taken.get(name) ?? 0) + count);
  };
  for (const { name, replicas, available } of oldest) take(name, clamp(replicas - available, left));
  for (const { name, available } of oldest) {
    const count = clamp(available, Math.min(left, spare));
    spare -= count;
    take(name, count);
  }
  for (const { name, replicas } of oldest) {
    const count = taken.get(name) ?? 0;
    if (count > 0) resizes.push({ name, to: replicas - count });
  }
  return resizes;
}

function clamp(count: number, atMost: number): number {
  return Math.max(Math.min(count, atMost), 0);
}
