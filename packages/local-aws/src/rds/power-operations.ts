import type { Operations } from "@gatewright/aws-wire/types/rds";
import type { Handlers } from "../service.ts";
import { DURATIONS, LONGEST_STOP_MS } from "./durations.ts";
import type { Ground } from "./ground.ts";
import { instanceFor } from "./instance-operations.ts";
import { instanceTold } from "./instance-shape.ts";
import { lifeFrom, statusAt } from "./life.ts";
import type { Place } from "./rds-store.ts";
import type { InstanceRecord } from "./records.ts";
import { placeKey } from "./rds-store.ts";
import { invalidCombination, invalidState } from "./refusals.ts";
import { checkSnapshotName, snapshotOf } from "./snapshot-record.ts";

/** Instances are started, stopped and started anew. */
export function powerOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  const { durations } = world.pace;
  const inState = (place: Place, id: string, status: string): InstanceRecord => {
    const record = instanceFor(ground, place, id);
    if (statusAt(record, world.clock.now()) !== status) {
      throw invalidState(`Instance ${record.facts.DBInstanceIdentifier} is not in ${status} state.`);
    }
    return record;
  };
  return {
    async RebootDBInstance(input, context) {
      const record = inState(context, input.DBInstanceIdentifier, "available");
      if (input.ForceFailover === true && record.facts.MultiAZ !== true) {
        throw invalidCombination(
          "ForceFailover cannot be specified since the instance is not configured for either MultiAZ or High Availability",
        );
      }
      const now = world.clock.now();
      const life = lifeFrom(now, [["rebooting", DURATIONS.rebooting * durations]], "available");
      const next = { ...record, life, rebootNeeded: false };
      await store.commit((commit) => store.putInstance(commit, next, now));
      return { DBInstance: { ...instanceTold(ground, next), DBInstanceStatus: "rebooting" } };
    },

    async StopDBInstance(input, context) {
      const record = inState(context, input.DBInstanceIdentifier, "available");
      const now = world.clock.now();
      const snapshot =
        input.DBSnapshotIdentifier === undefined
          ? undefined
          : snapshotOf(ground, record, checkSnapshotName(ground, context, input.DBSnapshotIdentifier));
      const life = lifeFrom(
        now,
        [
          ["stopping", DURATIONS.stopping * durations],
          ["stopped", LONGEST_STOP_MS],
          ["starting", DURATIONS.starting * durations],
        ],
        "available",
      );
      const next = { ...record, life };
      await store.commit((commit) => {
        store.putInstance(commit, next, now);
        if (snapshot)
          commit.put(store.snapshots, `${placeKey(context)}/${snapshot.facts.DBSnapshotIdentifier}`, snapshot);
      });
      return { DBInstance: { ...instanceTold(ground, next), DBInstanceStatus: "stopping" } };
    },

    async StartDBInstance(input, context) {
      const record = inState(context, input.DBInstanceIdentifier, "stopped");
      const now = world.clock.now();
      const next = { ...record, life: lifeFrom(now, [["starting", DURATIONS.starting * durations]], "available") };
      await store.commit((commit) => store.putInstance(commit, next, now));
      return { DBInstance: { ...instanceTold(ground, next), DBInstanceStatus: "starting" } };
    },
  };
}
