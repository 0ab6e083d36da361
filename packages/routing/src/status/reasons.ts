/** Reasons of conditions: words that people look up and programs wait for. */
export const REASONS = [
  "Accepted",
  "Applied",
  "BackendNotFound",
  "Conflict",
  "Invalid",
  "NoGateways",
  "NotPermitted",
  "NotReported",
  "PartlySupported",
  "Pending",
  "ReferenceMissing",
  "Refused",
  "Resolved",
  "Supported",
] as const;

export type Reason = (typeof REASONS)[number];
