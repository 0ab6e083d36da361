import type { Decision } from "./decision.ts";
import type { Observation } from "./observation.ts";
import { lost, notCreated, notIntended } from "./policies/creation.ts";
import { changeObstructed, differs, reported, tagsDiffer, undeclared, writeLoop } from "./policies/difference.ts";
import { inSync, outputsStale } from "./policies/in-sync.ts";
import { adoptionByTags, askedNow, observed, resourceUnknown } from "./policies/knowing.ts";
import { foreign, unrecorded } from "./policies/ownership.ts";
import { firstThatApplies } from "./policies/policy.ts";
import { replacementNeeded, replacing } from "./policies/replacement.ts";
import {
  accountChanged,
  decidedElsewhere,
  effectFailed,
  nameTaken,
  paused,
  providerNotReady,
  providerUnchecked,
  referenceMissing,
} from "./policies/standing.ts";
import { busy, failed, going, stillBusy } from "./policies/state.ts";
import { versionsWritten } from "./policies/written.ts";

/** What an object needs next, until its resource is as it says. Pure: same observation, same answer. */
export function decide(seen: Observation): Decision {
  return firstThatApplies(seen, [
    paused,
    effectFailed,
    versionsWritten,
    providerUnchecked,
    providerNotReady,
    decidedElsewhere,
    accountChanged,
    referenceMissing,
    nameTaken,
    adoptionByTags,
    resourceUnknown,
    askedNow,
    observed,
    replacing,
    lost,
    notIntended,
    notCreated,
    foreign,
    unrecorded,
    going,
    failed,
    busy,
    reported,
    replacementNeeded,
    writeLoop,
    undeclared,
    changeObstructed,
    differs,
    tagsDiffer,
    stillBusy,
    outputsStale,
    inSync,
  ]);
}
