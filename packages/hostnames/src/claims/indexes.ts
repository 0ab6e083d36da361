import { recordsOf, memoryOf } from "./claim.ts";
import type { Claim } from "./claim.ts";

/** Claims by the ARN of their certificate. */
export const BY_CERTIFICATE = "claim-certificate";
/** Claims by each name of the certificate that they have requested. */
export const BY_REQUESTED_NAME = "claim-requested-name";
/** Claims by each validation record that they remember. */
export const BY_VALIDATION = "claim-validation";
/** Those that are being deleted, under {@link DELETING}. */
export const BY_DELETION = "claim-deletion";
export const DELETING = "deleting";

/** Where claims are found without looking at all of them. */
export const claimIndexes: Readonly<Record<string, (claim: Claim) => readonly string[]>> = {
  [BY_CERTIFICATE]: ({ status }) => (status?.certificate?.arn === undefined ? [] : [status.certificate.arn]),
  [BY_REQUESTED_NAME]: ({ status }) => status?.certificate?.request?.names ?? [],
  [BY_VALIDATION]: (claim) => recordsOf(memoryOf(claim), "validation").map(({ name }) => name),
  [BY_DELETION]: ({ metadata }) => (metadata.deletionTimestamp === undefined ? [] : [DELETING]),
};
