import { REASONS } from "../reasons.ts";
import { gatewaysOf } from "../pool/claim-view.ts";
import type { Claim } from "./claim.ts";
import { wishOf } from "./claim.ts";
import { HELD, namingOf, ofCertificate, ofGateway, ofZone, overlapsOf, requestWith } from "./topics.ts";

/** What a claim follows, by how it stands. */
export function topicsOf(claim: Claim): readonly string[] {
  const { spec, status } = claim;
  const { certificate, claimedAt, conditions = [], records = [], released } = status ?? {};
  const given = wishOf(claim).certificate?.arn;
  const arns = new Set([certificate?.arn, given].filter((arn) => arn !== undefined));
  const held = conditions.some(({ type, reason }) => type === "Ready" && reason === REASONS.DeletionHeld.reason);
  return [
    ...(records.length > 0 ? [ofZone(spec.zoneId)] : []),
    ...Array.from(arns, ofCertificate),
    ...(released?.step === "certificate" ? Array.from(arns, namingOf) : []),
    ...gatewaysOf(claim).map(ofGateway),
    ...(certificate === undefined && given === undefined ? [requestWith(spec.hostname)] : []),
    ...(claimedAt === undefined ? overlapsOf(spec.hostname) : []),
    ...(held ? [HELD] : []),
  ];
}
