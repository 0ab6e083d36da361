/** What the operator does, each by itself: names of rooms. */
export const PARTS = ["hostnames", "infra", "routing", "applications"] as const;

export type Part = (typeof PARTS)[number];

/** Parts that call AWS. */
export const AWS_PARTS: readonly Part[] = ["hostnames", "infra"];
