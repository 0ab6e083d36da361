import type { Commit, Records, State } from "../state/state.ts";
import { settled, statusAt } from "./life.ts";
import type { InstanceRecord, ParameterGroupRecord, SnapshotRecord, SubnetGroupRecord } from "./records.ts";

/** An account in a region. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

/** What RDS remembers. Names are unique in a place; they contain no slash. */
export class RdsStore {
  readonly instances: Records<InstanceRecord>;
  readonly snapshots: Records<SnapshotRecord>;
  readonly subnetGroups: Records<SubnetGroupRecord>;
  readonly parameterGroups: Records<ParameterGroupRecord>;
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
    this.instances = state.records("rds/instances");
    this.snapshots = state.records("rds/snapshots");
    this.subnetGroups = state.records("rds/subnet-groups");
    this.parameterGroups = state.records("rds/parameter-groups");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#state.commit(change);
  }

  /** Those that are there, as they are at the moment, by identifier. */
  instancesIn(place: Place, now: number): readonly InstanceRecord[] {
    return this.instances
      .list(`${placeKey(place)}/`)
      .map(([, record]) => settled(record, now))
      .filter((record) => statusAt(record, now) !== "gone")
      .toSorted((one, other) => (one.facts.DBInstanceIdentifier < other.facts.DBInstanceIdentifier ? -1 : 1));
  }

  instance(place: Place, identifier: string, now: number): InstanceRecord | undefined {
    const id = identifier.toLowerCase();
    return this.instancesIn(place, now).find(({ facts }) => facts.DBInstanceIdentifier === id);
  }

  /** Keeps an instance under what never changes of it, whatever it is called. Those that are gone in its place go. */
  putInstance(commit: Commit, record: InstanceRecord, now: number): void {
    for (const [key, other] of this.instances.list(`${placeKey(record)}/`)) {
      if (statusAt(other, now) === "gone") commit.delete(this.instances, key);
    }
    commit.put(this.instances, `${placeKey(record)}/${record.facts.DbiResourceId}`, record);
  }
}

/** What the keys of everything in a place begin with. */
export function placeKey({ account, region }: Place): string {
  return `${account}/${region}`;
}
