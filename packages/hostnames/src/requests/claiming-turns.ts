import { parentDomain } from "../claims/claim-labels.ts";
import { wildcardOver } from "../names/index.ts";

/** Runs work that claims a hostname, never at once with work that claims one which may overlap with it. */
export type ClaimingTurns = <T>(hostname: string, work: () => Promise<T>) => Promise<T>;

interface UnderWay {
  readonly names: Set<Promise<unknown>>;
  readonly wildcards: Set<Promise<unknown>>;
}

/**
 * For one process: a wildcard is claimed alone in its domain, names beside each other. Two processes at once are told apart by their
 * claims; this saves making a claim only to give it up.
 */
export function createClaimingTurns(): ClaimingTurns {
  const domains = new Map<string, UnderWay>();
  return async (hostname, work) => {
    const domain = parentDomain(hostname);
    const isWildcard = wildcardOver(hostname) === undefined;
    const busy = (): readonly Promise<unknown>[] => {
      const { names = [], wildcards = [] } = domains.get(domain) ?? {};
      return isWildcard ? [...names, ...wildcards] : [...wildcards];
    };
    for (let before = busy(); before.length > 0; before = busy()) await Promise.allSettled(before);
    const here = domains.get(domain) ?? { names: new Set(), wildcards: new Set() };
    domains.set(domain, here);
    const turn = work();
    const own = isWildcard ? here.wildcards : here.names;
    own.add(turn);
    try {
      return await turn;
    } finally {
      own.delete(turn);
      if (here.names.size + here.wildcards.size === 0) domains.delete(domain);
    }
  };
}
