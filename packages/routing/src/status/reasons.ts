/** Why a condition is as it is, and what a person can do. */
export interface ReasonEntry {
  readonly reason: string;
  readonly means: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Reasons of conditions: words that people look up and programs wait for. */
export const REASONS = {
  Accepted: { reason: "Accepted", means: "A gateway would take it, and nobody else has these requests.", remedy: "" },
  Applied: { reason: "Applied", means: "Every connected gateway that should have it serves this version.", remedy: "" },
  BackendNotFound: {
    reason: "BackendNotFound",
    means: "A destination is neither a backend nor a Service; it is dialled as it is.",
    remedy: "Make the backend or Service that the message names, or mend the name.",
  },
  Conflict: {
    reason: "Conflict",
    means: "An older object has these requests.",
    remedy: "Change one of the two. When the other goes, this one is served at once.",
  },
  Invalid: {
    reason: "Invalid",
    means: "No gateway would take it. What was good before serves on.",
    remedy: "Mend the field that the message names.",
  },
  NoGateways: {
    reason: "NoGateways",
    means: "No gateway is connected that should have it.",
    remedy: "Start a gateway; look at its log, and at the label avapigw.io/gateway.",
  },
  NotPermitted: {
    reason: "NotPermitted",
    means: "What it refers to is in another namespace, which grants nothing.",
    remedy: "Write a ReferenceGrant in that namespace.",
  },
  NotReported: {
    reason: "NotReported",
    means: "Gateways do not report the health of hosts.",
    remedy: "Ask a gateway: /backends at its admin port.",
  },
  PartlySupported: {
    reason: "PartlySupported",
    means: "A gateway serves it without a part; the message says which part and gateway.",
    remedy: "Use another gateway, or another field.",
  },
  Pending: { reason: "Pending", means: "Some gateways have not acknowledged it yet.", remedy: "" },
  ReferenceMissing: {
    reason: "ReferenceMissing",
    means: "A Secret, a ConfigMap or a key of one is not there.",
    remedy: "Make what the message names; nothing else has to be done.",
  },
  Refused: {
    reason: "Refused",
    means: "A gateway refused it; its words are in the message.",
    remedy: "Mend the field that the message names.",
  },
  Resolved: { reason: "Resolved", means: "All that it refers to is there.", remedy: "" },
  Supported: { reason: "Supported", means: "Gateways that serve it know all of its fields.", remedy: "" },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type Reason = keyof typeof REASONS;
