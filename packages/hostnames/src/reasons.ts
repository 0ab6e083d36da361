/** Why a condition is as it is: what stands in conditions and events, and what a person can do. */
export interface Reason {
  readonly reason: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Every reason of requests and claims. The documentation's table is made from it. */
export const REASONS = {
  Serving: { reason: "Serving", remedy: "" },
  Claimed: { reason: "Claimed", remedy: "" },
  ClaimedByAnother: {
    reason: "ClaimedByAnother",
    remedy: "Choose another hostname, or ask its holder to give it up; this request is tried again when it is free.",
  },
} as const satisfies Readonly<Record<string, Reason>>;
