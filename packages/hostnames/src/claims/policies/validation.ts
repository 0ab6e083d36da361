import { recordKey, sameRecord } from "@gatewright/aws";
import type { Certificate, RecordSet } from "@gatewright/aws";
import { parseTime } from "@gatewright/kube";
import { REASONS } from "../../reasons.ts";
import { covers } from "../../names/index.ts";
import { recordSet, recordsOf, remembering, wishOf } from "../claim.ts";
import type { ClaimRecord } from "../claim.ts";
import { LONG_VALIDATION_MS } from "../certificate-request.ts";
import { isDone } from "../conditions.ts";
import { ask, remember, rest } from "../decision.ts";
import type { Observation } from "../observation.ts";
import { publication } from "../publication.ts";
import { isIssuedUnproven, proves, validationRecord } from "../validation-record.ts";
import { unpublished } from "./unpublished.ts";
import { AGAIN_MS, SELDOM_MS } from "./policy.ts";
import type { Policy } from "./policy.ts";

/** The certificate that is waited for: the one that was requested last, unless there is one that serves. */
function awaited({ certificate, coming }: Observation): Certificate | undefined {
  const serves = typeof certificate === "object" && certificate.status === "ISSUED";
  const known = serves ? certificate : (coming ?? certificate);
  return typeof known === "object" ? known : undefined;
}

/** The certificate was not seen yet. What was issued counts as issued until somebody says otherwise. */
export const certificateUnseen: Policy = (seen) => {
  const { certificate, coming, claim } = seen;
  const unseen = (coming ?? certificate) === "unknown";
  if (!unseen || isDone(claim, "CertificateIssued")) return undefined;
  const message = "What became of the certificate is being looked up.";
  return rest({ at: "DnsValidated", status: "Unknown", reason: REASONS.LookingForCertificate, message }, AGAIN_MS);
};

/** ACM issues the certificate once the zone has a record that it names. Names look after their own: others of a bundle do the same. */
export const validationUnpublished: Policy = (seen) => {
  const certificate = awaited(seen);
  if (certificate === undefined) return undefined;
  const pending = certificate.status === "PENDING_VALIDATION";
  if (!pending && !isIssuedUnproven(seen.claim, seen.memory, certificate)) return undefined;
  const { claim, memory, answers, drifted, published } = seen;
  const wanted = validationRecords(certificate, claim.spec.hostname);
  if (wanted === undefined) {
    if (!pending && certificate.validations !== undefined) return undefined;
    const message = "ACM has not told the validation record yet.";
    return rest({ at: "DnsValidated", reason: REASONS.PendingValidationRecords, message }, AGAIN_MS);
  }
  const known = recordsOf(memory, "validation").map(recordSet);
  const missing = wanted.filter((record) => !known.some((each) => sameRecord(each, record)));
  if (missing.length > 0) {
    const records = [
      ...(memory.records ?? []),
      ...missing.map((record): ClaimRecord => ({ ...record, purpose: "validation" })),
    ];
    return remember(remembering(memory, { records }));
  }
  for (const record of wanted) {
    const key = recordKey(record);
    if (published(record)) continue;
    const adopt = wishOf(claim).dns?.adopt === true;
    const state = publication({
      wanted: record,
      ours: known,
      read: drifted.get(key),
      adopt,
      answer: answers.changes.get(key),
      suffices: proves,
    });
    // What is waited for is that ACM issues, not that all name servers have the record.
    const decision = unpublished("DnsValidated", record, state, { patient: true });
    if (decision !== undefined) return decision;
  }
  return undefined;
};

/** The records that make a name of the certificate valid, the name being the hostname or a wildcard over it. */
function validationRecords({ validations }: Certificate, hostname: string): readonly RecordSet[] | undefined {
  const mine = (validations ?? []).filter(({ name }) => covers(name, hostname));
  const records = new Map<string, RecordSet>();
  for (const { record } of mine) {
    if (record === undefined) return undefined;
    records.set(record.name, validationRecord(record));
  }
  return records.size === 0 ? undefined : [...records.values()];
}

/** ACM has what it needs and has not issued yet. */
export const issuancePending: Policy = (seen) => {
  const certificate = awaited(seen);
  if (certificate === undefined || certificate.status === "ISSUED") return undefined;
  const { memory, answers, now, canInspect } = seen;
  const at = "CertificateIssued";
  const since = parseTime(memory.certificate?.request?.requestedAt ?? "") ?? now;
  const waiting = { at, reason: REASONS.PendingIssuance, message: "ACM validates the certificate." } as const;
  const left = since + LONG_VALIDATION_MS - now;
  if (left > 0) return rest(waiting, left);
  const open = (certificate.validations ?? []).filter(({ status }) => status !== "SUCCESS");
  const record = open.find((each) => each.record !== undefined)?.record;
  if (record === undefined) return rest(waiting, SELDOM_MS);
  if (canInspect && answers.inspection === undefined) return ask({ type: "inspect", record }, waiting);
  const found = answers.inspection ?? "";
  const names = open.map(({ name }) => name).join(", ");
  const message = `ACM has waited long for ${names}. It looks for the CNAME ${record.name} with the value ${record.value}.${found === "" ? "" : ` ${found}`}`;
  return rest({ at, reason: REASONS.ValidationSlow, message }, SELDOM_MS);
};

/** Another certificate was issued than the one that is in use: it takes over. */
export const certificateReplaced: Policy = ({ coming, memory }) => {
  if (typeof coming !== "object" || coming.status !== "ISSUED") return undefined;
  const request = memory.certificate?.request;
  return remember(remembering(memory, { certificate: { arn: coming.arn, ...(request !== undefined && { request }) } }));
};
