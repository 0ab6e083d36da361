import { randomString } from "@gatewright/ports";
import type { ChangeInfo } from "@gatewright/aws-wire/types/route53";
import type { Commit } from "../state/state.ts";
import type { Route53Context, SetChanges } from "./route53-context.ts";
import { publicNameKey } from "./route53-tables.ts";
import type { StoredChange } from "./route53-tables.ts";
import { currentSet, withVersion } from "./set-versions.ts";
import type { Zone } from "./zone.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** How long a zone is occupied by one request. */
const PROCESSING_MS = 500;
/** How long a change takes until every name server has it. */
const PROPAGATION_MS = { least: 20_000, most: 60_000 } as const;
/** How long GetChange knows a change. */
const REMEMBERED_MS = 7 * 24 * 3_600_000;

/** A change that was accepted: how to write it down, and what is told of it. */
export interface AcceptedChange {
  readonly info: ChangeInfo;
  readonly commit: (commit: Commit) => void;
}

/**
 * Accepts a change of a zone: the API shows it at once, DNS when it is in sync. Later changes of a zone are never in sync before
 * earlier ones. Reads the state; the result must be committed without waiting.
 */
export function acceptChange(
  context: Route53Context,
  zone: Zone,
  changes: SetChanges,
  comment?: string,
): AcceptedChange {
  const { world, tables } = context;
  const now = world.clock.now();
  const synced = Math.max(zone.syncedAt, now + propagation(context));
  const { id, stored, commit: remember } = newChange(context, zone.account, synced, comment);
  let recordCount = zone.recordCount;
  for (const [key, set] of changes) {
    recordCount += (set ? 1 : 0) - (currentSet(tables.sets.get(key)) ? 1 : 0);
  }
  return {
    info: changeInfo(id, stored, now),
    commit: (commit) => {
      remember(commit);
      for (const [key, gone] of tables.deleted.list(`${zone.id}/`)) {
        if (gone > now || changes.has(key)) continue;
        commit.delete(tables.deleted, key);
        commit.delete(tables.sets, key);
      }
      for (const [key, set] of changes) {
        commit.put(tables.sets, key, withVersion(tables.sets.get(key), set, synced, now));
        if (set) commit.delete(tables.deleted, key);
        else commit.put(tables.deleted, key, synced);
      }
      commit.put(tables.zones, zone.id, {
        ...zone,
        recordCount,
        // A new zone takes changes from the start.
        busyUntil: tables.zones.get(zone.id) ? now + PROCESSING_MS * world.pace.durations : 0,
        syncedAt: synced,
      });
      if (!zone.private && !tables.zones.get(zone.id)) commit.put(tables.publicNames, publicNameKey(zone), zone.id);
    },
  };
}

/** Accepts the end of a zone. DNS forgets it at once. */
export function acceptDeletion(context: Route53Context, zone: Zone): AcceptedChange {
  const { world, tables } = context;
  const now = world.clock.now();
  const { id, stored, commit: remember } = newChange(context, zone.account, now + propagation(context));
  return {
    info: changeInfo(id, stored, now),
    commit: (commit) => {
      remember(commit);
      for (const [key] of tables.sets.list(`${zone.id}/`)) commit.delete(tables.sets, key);
      for (const [key] of tables.deleted.list(`${zone.id}/`)) commit.delete(tables.deleted, key);
      commit.delete(tables.publicNames, publicNameKey(zone));
      commit.delete(tables.zones, zone.id);
    },
  };
}

/** A change as the API tells of it. */
export function changeInfo(id: string, change: StoredChange, now: number): ChangeInfo {
  return {
    Id: `/change/${id}`,
    Status: change.synced <= now ? "INSYNC" : "PENDING",
    SubmittedAt: change.submitted,
    ...(change.comment !== undefined && { Comment: change.comment }),
  };
}

function newChange({ world, tables }: Route53Context, account: string, synced: number, comment?: string) {
  const now = world.clock.now();
  // Rising with time, so that the oldest are the first.
  const id = `C${now.toString(36).toUpperCase().padStart(10, "0")}${randomString(world.random, LETTERS, 10)}`;
  const stored: StoredChange = { account, submitted: now, synced, ...(comment !== undefined && { comment }) };
  const commit = (to: Commit): void => {
    for (const [key, old] of tables.changes.scan("")) {
      if (old.submitted > now - REMEMBERED_MS) break;
      to.delete(tables.changes, key);
    }
    to.put(tables.changes, id, stored);
  };
  return { id, stored, commit };
}

function propagation({ world }: Route53Context): number {
  const [high = 0, low = 0] = world.random.bytes(2);
  const { least, most } = PROPAGATION_MS;
  return (least + ((most - least) * (high * 256 + low)) / 65_535) * world.pace.durations;
}
