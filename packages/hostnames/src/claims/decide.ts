import type { Decision } from "./decision.ts";
import type { Observation } from "./observation.ts";
import { aliasNotReady, validationDrifted } from "./policies/alias.ts";
import {
  bundleBroken,
  certificateFailed,
  certificateGiven,
  certificateLost,
  certificateMissing,
  requestUnanswered,
} from "./policies/certificate.ts";
import { nameNotHeld } from "./policies/hold.ts";
import { listenerNotAttached, notPlaced } from "./policies/placement.ts";
import { firstThatApplies } from "./policies/policy.ts";
import { certificateUnwanted } from "./policies/replacement.ts";
import { aliasHasLeft, everythingServes, leftForGood } from "./policies/serve.ts";
import {
  certificateReplaced,
  certificateUnseen,
  issuancePending,
  validationUnpublished,
} from "./policies/validation.ts";
import { newGatewayWarmsUp } from "./policies/warm-up.ts";

/** What a claim needs next, until it serves. Pure: same observation, same answer. */
export function decide(seen: Observation): Decision {
  return firstThatApplies(seen, [
    nameNotHeld,
    certificateGiven,
    certificateMissing,
    requestUnanswered,
    certificateLost,
    certificateFailed,
    bundleBroken,
    certificateUnseen,
    validationUnpublished,
    issuancePending,
    certificateReplaced,
    notPlaced,
    listenerNotAttached,
    newGatewayWarmsUp,
    aliasNotReady,
    aliasHasLeft,
    leftForGood,
    validationDrifted,
    certificateUnwanted,
    everythingServes,
  ]);
}
