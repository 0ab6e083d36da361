import type { CertificateRecord } from "./records.ts";

/** After this a request that nobody has validated is given up. */
const VALIDATION_WINDOW = 72 * 3_600_000;

export type CertificateStatus = "PENDING_VALIDATION" | "ISSUED" | "EXPIRED" | "VALIDATION_TIMED_OUT" | "FAILED";

/** The status at a moment. */
export function statusAt({ phase, createdAt }: CertificateRecord, now: number): CertificateStatus {
  switch (phase.is) {
    case "failed":
      return "FAILED";
    case "issued":
      return now < phase.facts.notAfter ? "ISSUED" : "EXPIRED";
    case "pending":
      return now < createdAt + VALIDATION_WINDOW ? "PENDING_VALIDATION" : "VALIDATION_TIMED_OUT";
  }
}
