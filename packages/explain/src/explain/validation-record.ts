import { parseTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { DomainClaim } from "@gatewright/resources";
import type { NextStep } from "../answer.ts";
import type { Cause } from "../chain.ts";
import type { Known } from "../known.ts";
import { link } from "../link.ts";

/** How long Route 53 may take to publish a record, and resolvers to see it. */
const PUBLISHED_MS = 5 * 60_000;

/**
 * The record that proves a name to ACM, as DNS has it now. The condition may be older than what somebody did to the zone: a certificate
 * that is issued goes on being served, and is not renewed.
 */
export function validationLink(known: Known, told: Cause, claim: Immutable<DomainClaim> | undefined): Cause {
  const records = (claim?.status?.records ?? []).filter(
    ({ purpose, type }) => purpose === "validation" && type === "CNAME",
  );
  for (const { name, values = [] } of records) {
    const answer = known.dns(name, "CNAME");
    if (answer === undefined) continue;
    const [want, have] = [values.map(plain), answer.values.map(plain)];
    if (have.some((value) => want.includes(value))) continue;
    const isIssued = claim?.status?.conditions?.some(
      ({ type, status }) => type === "CertificateIssued" && status === "True",
    );
    if (have.length === 0 && isIssued !== true && isTold(known, told)) continue;
    const reason = have.length === 0 ? "ValidationRecordMissing" : "ValidationRecordChanged";
    const instead = have.length === 0 ? "is not in DNS" : `leads to ${have.join(", ")} and not to ${want.join(", ")}`;
    const effect =
      isIssued === true ? "the certificate is served, and will not be renewed" : "the certificate is not issued";
    return link({
      title: told.title,
      state: isIssued === true ? "warning" : "broken",
      reason,
      message: `CNAME ${name} ${instead}: ${effect}.`,
      next: repair(claim?.spec.zoneId ?? "", name, want[0] ?? ""),
    });
  }
  return told;
}

/**
 * Whether the condition says already why DNS has no record: the operator writes one down before it asks for it, and then it is on its
 * way for some minutes, or could not be made.
 */
function isTold({ now }: Known, { state, since }: Cause): boolean {
  if (state !== "waiting") return state === "broken";
  const begun = parseTime(since ?? "");
  return begun === undefined || now - begun < PUBLISHED_MS;
}

function repair(zoneId: string, name: string, value: string): readonly NextStep[] {
  return [
    { text: `Put CNAME ${name} with the value ${value} back into zone ${zoneId}, or wait until the operator does.` },
    {
      text: "See the records of the zone.",
      command: `aws route53 list-resource-record-sets --hosted-zone-id ${zoneId}`,
    },
  ];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
