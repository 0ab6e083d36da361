import type { GlobalIndexRecord, TableRecord } from "./records.ts";

/** How long things take on AWS, about; multiplied by the pace of the world. */
export const DURATIONS = {
  creating: 8_000,
  updating: 5_000,
  encrypting: 20_000,
  deleting: 6_000,
  indexCreating: 60_000,
  indexDeleting: 30_000,
  timeToLive: 60_000,
  /** After its creation, until it can be recovered. */
  backups: 10_000,
} as const;

/** What a table is doing at a moment. */
export function statusAt(
  { phase }: TableRecord,
  now: number,
): "ACTIVE" | "CREATING" | "UPDATING" | "DELETING" | "gone" {
  if (phase === undefined) return "ACTIVE";
  if (now < phase.until) return phase.status as "CREATING";
  return phase.status === "DELETING" ? "gone" : "ACTIVE";
}

/** The table as it is at a moment: indexes that were being deleted are gone, with what only they needed. Pure. */
export function settled(table: TableRecord, now: number): TableRecord {
  const indexes = table.indexes.filter(({ phase }) => phase?.status !== "DELETING" || now < phase.until);
  return indexes.length === table.indexes.length ? table : { ...table, indexes };
}

/** What becomes of the encryption of a table that is ACTIVE: it is told as it was until then. */
export function encryptingAt({ encrypting }: TableRecord, now: number): TableRecord["encrypting"] {
  return encrypting !== undefined && now < encrypting.until ? encrypting : undefined;
}

export function indexStatusAt({ phase }: GlobalIndexRecord, now: number): string {
  return phase !== undefined && now < phase.until ? phase.status : "ACTIVE";
}
