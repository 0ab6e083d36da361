import { REASONS } from "../../reasons.ts";
import { isOver } from "../certificate-names.ts";
import { MOST_ATTEMPTS, pauseBefore } from "../certificate-request.ts";
import { rest } from "../decision.ts";
import type { Decision } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { standingOf } from "../wanted-certificate.ts";
import { askFor, obtain } from "./certificate.ts";
import { AGAIN_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { validationUnpublished } from "./validation.ts";

/**
 * The certificate serves, and the wish asks for one of another kind by now: that is requested and validated while the hostname is
 * served with the old one, and takes over when it is issued.
 */
export const certificateUnwanted: Policy = (seen) => {
  const standing = standingOf(seen.claim, seen.memory, seen.certificate);
  if (standing === "wanted") return undefined;
  return meanwhileServing(seen, standing === "unwanted" ? obtainIssued(seen) : replace(seen));
};

/** One that is only on its way must not take the place of one that serves. */
function obtainIssued(seen: Observation, attempt = 1): Decision {
  const reusable = seen.sources?.reusable;
  const onItsWay = typeof reusable === "object" && reusable.status !== "ISSUED";
  return onItsWay ? rest(WAITING, AGAIN_MS) : obtain(seen, attempt);
}

function replace(seen: Observation): Decision {
  const asked = askFor(seen);
  if (asked !== undefined) return asked;
  const { coming, memory, now } = seen;
  const request = memory.certificate?.request;
  if (coming === undefined || coming === "unknown" || request === undefined) return rest(WAITING, AGAIN_MS);
  if (coming === "absent" || isOver(coming)) {
    if (request.attempt >= MOST_ATTEMPTS) return rest(WAITING);
    const pause = pauseBefore(request, now);
    return pause > 0 ? rest(WAITING, pause) : obtainIssued(seen, request.attempt + 1);
  }
  // What the conditions say of records is about those of the certificate that serves.
  return validationUnpublished({ ...seen, certificate: coming, published: () => false }) ?? rest(WAITING, AGAIN_MS);
}

const WAITING = { at: "Ready", reason: REASONS.Serving, message: "" } as const;

/** All conditions stay as they are; what is waited for is told beside. */
function meanwhileServing({ claim, memory }: Observation, decision: Decision): Decision {
  const says = (why: string): string =>
    `https://${claim.spec.hostname} is served by Gateway ${memory.gateway}, until its next certificate is issued with the one before.${why === "" ? "" : ` ${why}`}`;
  const serving = (why: string) =>
    ({ at: "Ready", status: "True", reason: REASONS.Serving, message: says(why) }) as const;
  if (decision.kind === "rest") return { ...decision, fact: serving(decision.fact.message) };
  if (decision.kind === "ask") return { ...decision, meanwhile: serving(decision.meanwhile.message) };
  return decision;
}
