import { recordKey, sameRecord } from "@gatewright/aws";
import type { ChangeProgress, RecordChange, RecordSet, Zone, ZoneOrder, Zones } from "@gatewright/aws";
import { aborted } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";

const SEND_MS = 1_000;
const SYNC_MS = 5_000;

/** A zone in memory that takes its time as Route 53 does. */
export interface FakeZones extends Zones {
  /** What is there, by key. Tests may change it behind everybody's back. */
  readonly records: Map<string, RecordSet>;
  /** Every change that was taken, in order. */
  readonly changes: string[];
  /** Reads the zone, as the real ones do now and then. */
  read(zoneId: string): void;
}

export function fakeZones(clock: Clock, zone: Partial<Zone> = {}): FakeZones {
  const records = new Map<string, RecordSet>();
  const changes: string[] = [];
  const orders = new Map<string, ChangeProgress>();
  const progressed: ((owner: string) => void)[] = [];
  const readers: ((zoneId: string) => void)[] = [];
  let reading: { at: number; records: ReadonlyMap<string, RecordSet> } | undefined;

  const take = (change: RecordChange): ChangeProgress => {
    const wanted = change.action === "replace" ? change.to : change.action === "create" ? change.record : undefined;
    const from = change.action === "replace" ? change.from : change.action === "delete" ? change.record : undefined;
    const place = recordKey(wanted ?? from!);
    const there = records.get(place);
    if (wanted !== undefined && there !== undefined && sameRecord(there, wanted))
      return { state: "pending", changeId: "" };
    const free = there === undefined || (from !== undefined && sameRecord(there, from));
    if (!free) return { state: "refused", code: "InvalidChangeBatch", message: `${place} is there`, found: [there] };
    if (from !== undefined) records.delete(recordKey(from));
    if (wanted !== undefined) records.set(place, wanted);
    changes.push(`${change.action} ${place.trim()}`);
    return { state: "pending", changeId: "C1" };
  };

  return {
    records,
    changes,
    change({ changes: wanted, owner, ...rest }: ZoneOrder) {
      const key = JSON.stringify([rest, wanted]);
      const known = orders.get(key);
      if (known !== undefined) return known;
      const tell = (progress: ChangeProgress): void => {
        orders.set(key, progress);
        for (const listener of progressed) listener(owner);
        if (progress.state === "refused") clock.timer(60_000, () => void orders.delete(key));
      };
      orders.set(key, { state: "waiting" });
      clock.timer(SEND_MS, () => {
        const taken = take(wanted[0]!);
        tell(taken);
        if (taken.state !== "refused") clock.timer(SYNC_MS, () => tell({ state: "inSync" }));
      });
      return { state: "waiting" };
    },
    async lookup(_zoneId, name) {
      return [...records.values()].filter((record) => record.name === name);
    },
    async zone(id) {
      return { id, name: "example.com", private: false, nameServers: ["ns-1.example.net"], ...zone };
    },
    watch() {},
    unwatch() {},
    refresh() {},
    read(zoneId) {
      reading = { at: clock.now(), records: new Map(records) };
      orders.clear();
      for (const listener of readers) listener(zoneId);
    },
    reading() {
      const last = reading;
      if (last === undefined) return undefined;
      return {
        at: last.at,
        record: (name, type, setIdentifier) =>
          last.records.get(recordKey({ name, type, ...(setIdentifier !== undefined && { setIdentifier }) })),
      };
    },
    onProgress: (listener) => void progressed.push(listener),
    onReading: (listener) => void readers.push(listener),
    run: (signal) => aborted(signal),
  };
}
