import type { Operations } from "@gatewright/aws-wire/types/rds";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { parseArn } from "./arn.ts";
import { DURATIONS } from "./durations.ts";
import { foundInstance } from "./found-instance.ts";
import type { Ground } from "./ground.ts";
import { identifierOf } from "./instance-rules.ts";
import { instanceTold } from "./instance-shape.ts";
import { lifeFrom, statusAt } from "./life.ts";
import { filtered, page } from "./page.ts";
import { placeKey } from "./rds-store.ts";
import type { Place } from "./rds-store.ts";
import type { InstanceRecord } from "./records.ts";
import { invalidCombination, invalidState, invalidValue, noInstance } from "./refusals.ts";
import { checkSnapshotName, snapshotOf } from "./snapshot-record.ts";

/** States in which there is nothing to take a last snapshot of. */
const NO_LAST_SNAPSHOT = ["failed", "incompatible-restore", "incompatible-network", "creating"];

const FILTERS: ReadonlyMap<string, (record: InstanceRecord) => string | undefined> = new Map<
  string,
  (record: InstanceRecord) => string | undefined
>([
  ["db-instance-id", ({ facts }) => facts.DBInstanceIdentifier],
  ["dbi-resource-id", ({ facts }) => facts.DbiResourceId],
  ["engine", ({ facts }) => facts.Engine],
  ["db-cluster-id", ({ facts }) => facts.DBClusterIdentifier],
  ["domain", () => undefined],
]);

/** Instances come, are told of, and go. */
export function instanceOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    async CreateDBInstance(input, context) {
      const record = foundInstance(ground, input, context);
      await keepNew(ground, record);
      return { DBInstance: instanceTold(ground, record) };
    },

    DescribeDBInstances(input, context) {
      const id = input.DBInstanceIdentifier;
      const all = store.instancesIn(context, world.clock.now());
      const named = id === undefined ? all : [instanceFor(ground, context, nameOf(id))];
      const filters = input.Filters?.map(({ Name, Values }) => ({ Name, Values: Values.map(nameOf) }));
      const { items, marker } = page(
        filtered(named, filters, FILTERS),
        ({ facts }) => facts.DBInstanceIdentifier,
        input,
      );
      return { DBInstances: items.map((record) => instanceTold(ground, record)), ...marker };
    },

    async DeleteDBInstance(input, context) {
      const now = world.clock.now();
      const record = instanceFor(ground, context, input.DBInstanceIdentifier);
      const status = statusAt(record, now);
      const id = record.facts.DBInstanceIdentifier;
      if (status === "deleting") throw invalidState(`Instance ${id} is already being deleted.`);
      if (record.facts.DeletionProtection === true) {
        throw invalidCombination(
          "Cannot delete protected DB Instance, please disable deletion protection and try again.",
        );
      }
      const name = input.FinalDBSnapshotIdentifier;
      if (input.SkipFinalSnapshot === true) {
        if (name !== undefined) {
          throw invalidCombination(
            "FinalDBSnapshotIdentifier can not be specified when deleting an instance with SkipFinalSnapshot.",
          );
        }
      } else if (name === undefined || name === "") {
        throw invalidCombination("FinalDBSnapshotIdentifier is required unless SkipFinalSnapshot is specified.");
      } else if (NO_LAST_SNAPSHOT.includes(status)) {
        throw invalidState(`Cannot take a final snapshot of instance ${id} in state ${status}.`);
      }
      const { durations } = world.pace;
      const snapshot =
        name === undefined ? undefined : snapshotOf(ground, record, checkSnapshotName(ground, context, name));
      const takes = (DURATIONS.deleting + (snapshot === undefined ? 0 : DURATIONS.snapshot)) * durations;
      const dying = { ...record, pending: undefined, life: lifeFrom(now, [["deleting", takes]], "gone") };
      await store.commit((commit) => {
        store.putInstance(commit, dying, now);
        if (snapshot)
          commit.put(store.snapshots, `${placeKey(context)}/${snapshot.facts.DBSnapshotIdentifier}`, snapshot);
      });
      return { DBInstance: { ...instanceTold(ground, dying), DBInstanceStatus: "deleting" } };
    },
  };
}

/** Keeps an instance that was not there before. */
export async function keepNew({ store, world, quota }: Ground, record: InstanceRecord): Promise<void> {
  const now = world.clock.now();
  const there = store.instancesIn(record, now);
  if (there.some(({ facts }) => facts.DBInstanceIdentifier === record.facts.DBInstanceIdentifier)) {
    throw new AwsError("DBInstanceAlreadyExists", "DB instance already exists");
  }
  if (there.length >= quota) {
    throw new AwsError("InstanceQuotaExceeded", `Cannot create more than ${quota} DB instances in this region`);
  }
  await store.commit((commit) => store.putInstance(commit, record, now));
}

/** The instance of a name, as it is now. */
export function instanceFor({ store, world }: Ground, place: Place, identifier: string): InstanceRecord {
  const found = store.instance(place, identifier, world.clock.now());
  if (found !== undefined) return found;
  if (!/^[a-z](-?[a-z0-9])*$/i.test(identifier)) identifierOf(identifier, "DBInstanceIdentifier");
  throw noInstance(identifier);
}

/** Describes take ARNs as well. */
function nameOf(text: string): string {
  if (!text.startsWith("arn:")) return text;
  const arn = parseArn(text);
  if (arn?.kind !== "db") throw invalidValue(`Invalid resource name: ${text}`);
  return arn.name;
}
