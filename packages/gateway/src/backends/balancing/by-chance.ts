import type { Random } from "@gatewright/ports";
import type { Balanced, Balancer } from "./balancer.ts";
import { fraction } from "./fraction.ts";

/** Any endpoint, as often as its weight says. */
export function byChance(random: Random): Balancer {
  return { choose: (among) => weighted(among, random) };
}

/** One of these, by weight; evenly when all weights are 0. There has to be one. */
export function weighted<T extends { readonly weight: number }>(among: readonly T[], random: Random): T {
  if (among.length === 1) return among[0]!;
  let total = 0;
  for (const { weight } of among) total += weight;
  if (total === 0) return among[Math.floor(fraction(random) * among.length)]!;
  let left = fraction(random) * total;
  for (const member of among) {
    left -= member.weight;
    if (left < 0) return member;
  }
  return among.findLast(({ weight }) => weight > 0)!;
}

/** The less busy of two that are drawn evenly; a weight says how many requests count as one. */
export function leastRequest(random: Random): Balancer {
  return {
    choose<T extends Balanced>(among: readonly T[]): T {
      if (among.length === 1) return among[0]!;
      const first = Math.floor(fraction(random) * among.length);
      const second = (first + 1 + Math.floor(fraction(random) * (among.length - 1))) % among.length;
      const a = among[first]!;
      const b = among[second]!;
      if (a.weight === 0 && b.weight === 0) return weighted(among, random);
      return load(a) <= load(b) ? a : b;
    },
  };
}

const load = ({ active, weight }: Balanced): number =>
  weight === 0 ? Number.POSITIVE_INFINITY : (active + 1) / weight;
