import type { ReaderSettings } from "./zone-reader.ts";
import type { SyncSettings } from "./sync-poller.ts";
import type { WriterSettings } from "./zone-writer.ts";

/** How zones are written and read. Milliseconds. */
export interface ZoneSettings extends WriterSettings, SyncSettings, ReaderSettings {
  /** How long what is in sync is remembered after nobody asked. */
  readonly forgetMs: number;
  /** How long a refusal is told before the same is tried again. */
  readonly refusedMs: number;
  /** How long a failure is told before the same is tried again. */
  readonly failedMs: number;
}

/** Within 1 % of the requests of an account when nothing changes. A batch has room left below the limits of Route 53. */
export const ZONE_SETTINGS: ZoneSettings = {
  flushMs: 2_000,
  flushMostMs: 5_000,
  batch: { elements: 980, characters: 31_000 },
  patienceMs: 120_000,
  pollMs: 5_000,
  pollMostMs: 10_000,
  settleMs: 60_000,
  readEveryMs: 300_000,
  pagesPerSecond: 0.05,
  forgetMs: 600_000,
  refusedMs: 60_000,
  failedMs: 5_000,
};
