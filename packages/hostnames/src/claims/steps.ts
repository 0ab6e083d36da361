/** Conditions of a claim, in the order in which they come true. */
export const STEPS = [
  "Claimed",
  "CertificateRequested",
  "DnsValidated",
  "CertificateIssued",
  "ListenerAttached",
  "DnsAliasReady",
  "Ready",
] as const;

export type Step = (typeof STEPS)[number];
