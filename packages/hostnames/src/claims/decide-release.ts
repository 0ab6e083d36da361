import type { Decision } from "./decision.ts";
import type { Observation } from "./observation.ts";
import { firstThatApplies } from "./policies/policy.ts";
import { certificateLeft } from "./policies/release-certificate.ts";
import {
  aliasesLeft,
  deletionHeld,
  listenersLeft,
  nothingLeft,
  releaseNotBegun,
  resolversRemember,
  validationsLeft,
} from "./policies/release.ts";

/** What a claim that is being deleted needs next, until nothing is left of it. Pure: same observation, same answer. */
export function decideRelease(seen: Observation): Decision {
  return firstThatApplies(seen, [
    deletionHeld,
    releaseNotBegun,
    aliasesLeft,
    resolversRemember,
    listenersLeft,
    certificateLeft,
    validationsLeft,
    nothingLeft,
  ]);
}
