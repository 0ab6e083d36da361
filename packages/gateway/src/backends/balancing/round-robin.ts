import type { Balanced, Balancer } from "./balancer.ts";

/**
 * Smooth weighted round robin: everyone gains its weight each turn, the richest is chosen and pays what all gained together. Shares
 * are exact over a round, and a heavy endpoint's turns are spread, not bunched.
 */
export const roundRobin: Balancer = {
  choose<T extends Balanced>(among: readonly T[]): T {
    let best = among[0]!;
    if (among.length === 1) return best;
    let total = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (const member of among) {
      if (member.weight === 0) continue;
      total += member.weight;
      member.turn += member.weight;
      if (member.turn > most) {
        most = member.turn;
        best = member;
      }
    }
    if (total === 0) return evenTurn(among);
    best.turn -= total;
    return best;
  },
};

function evenTurn<T extends Balanced>(among: readonly T[]): T {
  let best = among[0]!;
  for (const member of among) {
    member.turn++;
    if (member.turn > best.turn) best = member;
  }
  best.turn -= among.length;
  return best;
}
