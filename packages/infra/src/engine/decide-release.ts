import type { Decision } from "./decision.ts";
import type { Observation } from "./observation.ts";
import { resourceUnknown } from "./policies/knowing.ts";
import { firstThatApplies } from "./policies/policy.ts";
import {
  inUse,
  isGone,
  lookedFor,
  neverMade,
  notOurs,
  notRemoved,
  orphaned,
  orphanedBlindly,
  retained,
  stopped,
  untagged,
} from "./policies/release.ts";
import {
  accountChanged,
  decidedElsewhere,
  effectFailed,
  paused,
  providerNotReady,
  providerUnchecked,
} from "./policies/standing.ts";

/** What an object that is being deleted needs next, until nothing holds it. Pure: same observation, same answer. */
export function decideRelease(seen: Observation): Decision {
  return firstThatApplies(seen, [
    paused,
    effectFailed,
    untagged,
    retained,
    neverMade,
    orphanedBlindly,
    providerUnchecked,
    providerNotReady,
    decidedElsewhere,
    accountChanged,
    inUse,
    lookedFor,
    resourceUnknown,
    isGone,
    notOurs,
    orphaned,
    stopped,
    notRemoved,
  ]);
}
