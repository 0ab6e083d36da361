/** Why a condition is as it is: what stands in conditions and events, and what a person can do. */
export interface Reason {
  readonly reason: string;
  readonly means: string;
  /** What to do about it; empty where there is nothing to do but wait. */
  readonly remedy: string;
}

/** Every reason of AWSProvider and of the kinds that stand for AWS resources. The documentation's table is made from it. */
export const REASONS = {
  InSync: { reason: "InSync", means: "The resource is there and as the spec says.", remedy: "" },
} as const satisfies Readonly<Record<string, Reason>>;
