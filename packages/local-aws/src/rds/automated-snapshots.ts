import { DURATIONS } from "./durations.ts";
import type { Ground } from "./ground.ts";
import { statusAt } from "./life.ts";
import type { InstanceRecord, SnapshotRecord } from "./records.ts";
import { snapshotOf } from "./snapshot-record.ts";
import { backupsBetween } from "./windows.ts";

const DAY_MS = 24 * 60 * 60_000;

/**
 * The snapshots that RDS takes by itself: one when an instance was made, and one a day, each kept for as many days as its backups
 * are. They are worked out, not stored, and end with their instance. Each tells of the instance as it is now.
 */
export function automatedSnapshots(ground: Ground, record: InstanceRecord): readonly SnapshotRecord[] {
  const { world } = ground;
  const now = world.clock.now();
  const { BackupRetentionPeriod: days, InstanceCreateTime: made = now, PreferredBackupWindow: window } = record.facts;
  if (days === 0 || window === undefined || statusAt(record, now) === "creating") return [];
  const oldest = now - days * DAY_MS;
  const daily = backupsBetween(window, Math.max(made + 1, oldest), now);
  const moments = made >= oldest && made <= now ? [made, ...daily] : daily;
  return moments.map((at) => {
    const stamp = new Date(at).toISOString().slice(0, 16).replaceAll(/[T:]/g, "-");
    const snapshot = snapshotOf(ground, record, `rds:${record.facts.DBInstanceIdentifier}-${stamp}`);
    return {
      ...snapshot,
      availableAt: at + DURATIONS.backingUp * world.pace.durations,
      facts: {
        ...snapshot.facts,
        SnapshotType: "automated",
        SnapshotCreateTime: at,
        OriginalSnapshotCreateTime: at,
      },
    };
  });
}
