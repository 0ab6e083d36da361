import { overlaps } from "../names/index.ts";

/** Runs work that claims a hostname, never at once with work that claims one which overlaps with it. */
export type ClaimingTurns = <T>(hostname: string, work: () => Promise<T>) => Promise<T>;

/**
 * For one process: a wildcard is claimed alone in its domain, names beside each other. Two processes at once are told apart by their
 * claims; this saves making a claim only to give it up.
 */
export function createClaimingTurns(): ClaimingTurns {
  const underWay = new Map<Promise<unknown>, string>();
  return async (hostname, work) => {
    const busy = (): readonly Promise<unknown>[] =>
      Array.from(underWay).flatMap(([turn, other]) => (overlaps(other, hostname) ? [turn] : []));
    for (let before = busy(); before.length > 0; before = busy()) await Promise.allSettled(before);
    const turn = work();
    underWay.set(turn, hostname);
    try {
      return await turn;
    } finally {
      underWay.delete(turn);
    }
  };
}
