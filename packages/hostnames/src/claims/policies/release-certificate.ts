import type { Certificate } from "@gatewright/aws";
import { recordsOf, remembering } from "../claim.ts";
import type { ClaimRecord, Memory } from "../claim.ts";
import { certificateOrder } from "../certificate-request.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Decision } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { isOwn } from "../own-tags.ts";
import { validationRecord } from "../validation-record.ts";
import { AGAIN_MS, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";
import { atStep, undoing } from "./release.ts";

const REMOVING = undoing("Its certificate is being removed.");
const IN_USE = undoing("Its certificate is still in use by a load balancer.");

/** The certificate goes when it is ours, no other claim uses it, and no load balancer has it any more or is to get it. */
export const certificateLeft: Policy = (seen) => {
  const { memory, answers, certificate, settings } = seen;
  if (memory.released?.step !== "certificate") return undefined;
  const { arn, adopted } = memory.certificate ?? {};
  if (arn === undefined) return requestLeft(seen);
  if (adopted === true || certificate === "absent") return forgotten(seen);
  if (certificate === undefined || certificate === "unknown") return rest(REMOVING, AGAIN_MS);
  if (!isOwn(certificate, settings.cluster))
    return certificate.tags === undefined ? rest(REMOVING, AGAIN_MS) : forgotten(seen);
  if (answers.users?.arn !== arn) return ask({ type: "findUsers", arn }, REMOVING);
  if (answers.users.others.length > 0) return forgotten(seen);
  if (answers.users.named) return rest(IN_USE, AGAIN_MS);
  const described = answers.described?.arn === arn ? answers.described.certificate : undefined;
  if (described === undefined) return ask({ type: "describeCertificate", arn }, REMOVING);
  // One that was requested just now may not be known everywhere: only certificates that look again are believed.
  if (described === "absent") return rest(REMOVING, AGAIN_MS);
  if ("failed" in described) return rest(undoing(described.failed), AGAIN_MS);
  const orphaned = recordsToInherit(described, memory);
  if (orphaned.length > 0) return remember(remembering(memory, { records: [...(memory.records ?? []), ...orphaned] }));
  const removal = answers.removal?.arn === arn ? answers.removal : undefined;
  switch (removal?.state) {
    case undefined:
      return ask({ type: "removeCertificate", arn }, REMOVING);
    case "waiting":
      return rest(REMOVING, AGAIN_MS);
    case "inUse":
      return rest(IN_USE, AGAIN_MS);
    case "failed":
      return rest(undoing(removal.error.message), SELDOM_MS);
    case "gone":
      return forgotten(seen);
  }
};

/** A request that nobody has seen the answer of may have been made: asking again tells which certificate is to be removed. */
function requestLeft(seen: Observation): Decision {
  const { memory, answers, claim, settings } = seen;
  const request = memory.certificate?.request;
  if (request === undefined) return forgotten(seen);
  if (answers.users === undefined) return ask({ type: "findUsers", arn: "" }, REMOVING);
  if (answers.users.others.length > 0) return forgotten(seen);
  const answer = answers.request?.token === request.token ? answers.request : undefined;
  switch (answer?.state) {
    case undefined:
      return ask({ type: "requestCertificate", order: certificateOrder(claim, request, settings.cluster) }, REMOVING);
    case "waiting":
    case "failed":
      return rest(REMOVING, AGAIN_MS);
    case "refused":
      return forgotten(seen);
    case "requested":
      return remember(remembering(memory, { certificate: { arn: answer.arn, request } }));
  }
}

function forgotten(seen: Observation) {
  return remember(atStep({ ...seen, memory: remembering(seen.memory, { certificate: undefined }) }, "validation"));
}

/** Names of a bundle whose claims went before left their records to the certificate; who removes it removes them. */
function recordsToInherit({ validations = [] }: Certificate, memory: Memory): readonly ClaimRecord[] {
  const known = new Set(recordsOf(memory, "validation").map(({ name }) => name));
  const records = new Map<string, ClaimRecord>();
  for (const { record } of validations) {
    if (record !== undefined && !known.has(record.name))
      records.set(record.name, { ...validationRecord(record), purpose: "validation" });
  }
  return [...records.values()];
}
