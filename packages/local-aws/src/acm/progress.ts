import type { CertificateRecord, Renewal } from "./records.ts";
import { statusAt } from "./status.ts";

const DAY = 86_400_000;
/** How long it takes AWS until a request has its records, and from the proof to the certificate. */
const RECORD_DELAY = 4_000;
const ISSUE_DELAY = 20_000;
const RENEWAL_WINDOW = 45 * DAY;

/** What is seen of the world when a certificate is looked at. Asked only where it matters. */
export interface Surroundings {
  readonly now: number;
  /** Of the pace. */
  readonly durations: number;
  /** Whether public DNS has the validation record of a name. */
  readonly published: (name: string) => boolean;
  readonly forbidden: (name: string) => boolean;
  readonly inUse: () => boolean;
}

/** What has to happen with a certificate next. */
export type Step =
  | { readonly do: "nothing" }
  /** The record becomes this one. */
  | { readonly do: "note"; readonly record: CertificateRecord }
  /** A certificate has to be made and to become the record's. */
  | { readonly do: "issue"; readonly renewal?: Renewal };

/** Whether the validation records of a request can be told already. */
export function hasRecords({ createdAt }: CertificateRecord, now: number, durations: number): boolean {
  return now >= createdAt + RECORD_DELAY * durations;
}

/** Whether ACM keeps a certificate fresh: one that it issued and that somebody has. */
export function isRenewable({ type, phase, exported }: CertificateRecord, inUse: boolean): boolean {
  return type === "AMAZON_ISSUED" && phase.is === "issued" && (inUse || exported);
}

/** Decides on one certificate. Pure. */
export function nextStep(record: CertificateRecord, seen: Surroundings): Step {
  if (record.type !== "AMAZON_ISSUED" || record.validation?.method !== "DNS") return { do: "nothing" };
  switch (statusAt(record, seen.now)) {
    case "PENDING_VALIDATION":
      return stepOfRequest(record, seen);
    case "ISSUED":
      return stepOfRenewal(record, seen);
    case "EXPIRED":
      return record.renewal === undefined || record.renewal.status === "SUCCESS" || record.renewal.status === "FAILED"
        ? { do: "nothing" }
        : { do: "note", record: { ...record, renewal: { ...record.renewal, status: "FAILED", updatedAt: seen.now } } };
    default:
      return { do: "nothing" };
  }
}

function stepOfRequest(record: CertificateRecord, seen: Surroundings): Step {
  const { phase, names } = record;
  if (phase.is !== "pending" || !hasRecords(record, seen.now, seen.durations)) return { do: "nothing" };
  const validated = phase.validated.map((at, i) => at ?? (seen.published(names[i]!) ? seen.now : null));
  const latest = validated.reduce<number | null>(
    (last, at) => (last === null || at === null ? null : Math.max(last, at)),
    0,
  );
  if (latest !== null && seen.now >= latest + ISSUE_DELAY * seen.durations) {
    if (!names.some((name) => seen.forbidden(name))) return { do: "issue" };
    return { do: "note", record: { ...record, phase: { is: "failed", at: seen.now, reason: "CAA_ERROR" } } };
  }
  const same = validated.every((at, i) => at === phase.validated[i]);
  return same ? { do: "nothing" } : { do: "note", record: { ...record, phase: { is: "pending", validated } } };
}

function stepOfRenewal(record: CertificateRecord, seen: Surroundings): Step {
  const { phase, renewal } = record;
  if (phase.is !== "issued") return { do: "nothing" };
  const asked = renewal !== undefined && renewal.status !== "SUCCESS";
  if (!asked && seen.now < phase.facts.notAfter - RENEWAL_WINDOW) return { do: "nothing" };
  if (!isRenewable(record, record.exported || seen.inUse())) return { do: "nothing" };
  const found = record.names.map((name) => seen.published(name) && !seen.forbidden(name));
  if (found.every(Boolean)) return { do: "issue", renewal: { status: "SUCCESS", updatedAt: seen.now, found } };
  const same = renewal?.status === "PENDING_VALIDATION" && renewal.found.every((was, i) => was === found[i]);
  if (same) return { do: "nothing" };
  return { do: "note", record: { ...record, renewal: { status: "PENDING_VALIDATION", updatedAt: seen.now, found } } };
}
