import type { Clock } from "@gatewright/ports";
import type { DeliverableKey } from "../model/deliverable.ts";
import type { MutableCatalogue } from "../model/mutable-catalogue.ts";
import type {
  Connection,
  Connections,
  ConnectionView,
  KnownRemarks,
  Selection,
  Standing,
} from "./connected-gateway.ts";
import { ConnectionRecord } from "./connection-record.ts";
import { byName } from "./gateway-order.ts";
import { KnownRefusals } from "./known-refusals.ts";

export interface ConnectionsOptions {
  readonly catalogue: MutableCatalogue;
  /** Default: every gateway gets all of the namespaces that it asks for. */
  readonly selection?: Selection;
  readonly clock: Clock;
}

/** The connections of this process, none at first. It holds on to the catalogue, and the catalogue to it. */
export function createConnections({ catalogue, selection = () => true, clock }: ConnectionsOptions): Connections {
  const open = new Set<ConnectionRecord>();
  /** The same in the order of their names; undefined: somebody came or went. */
  let ordered: readonly ConnectionRecord[] | undefined;
  const listeners = new Set<(changed: ReadonlySet<DeliverableKey> | "all") => void>();
  const tell = (changed: ReadonlySet<DeliverableKey> | undefined): void => {
    if (changed?.size === 0) return;
    for (const listener of listeners) listener(changed ?? "all");
  };
  /** Shared by all that are open and of whom the same is known. */
  const refusalsOf = (known: KnownRemarks): KnownRefusals => {
    for (const { knownRefusals } of open) if (knownRefusals?.known === known) return knownRefusals;
    return new KnownRefusals(catalogue, known);
  };
  let count = 0;
  let told = catalogue.revision;
  catalogue.subscribe(() => {
    const changes = told === 0 ? undefined : catalogue.since(told);
    told = catalogue.revision;
    tell(changes && new Set(changes.map(({ key }) => key)));
  });
  catalogue.keepSince(() => {
    let least = told;
    for (const { needsSince } of open) if (needsSince !== undefined) least = Math.min(least, needsSince);
    return least;
  });
  return {
    open(gateway, known) {
      const knownRefusals = known && refusalsOf(known);
      const parts = { catalogue, selection, known, knownRefusals, now: clock.now() };
      const record = new ConnectionRecord(`${gateway.door}-${++count}`, gateway, parts);
      const moved = (): void => {
        ordered = undefined;
        tell(undefined);
      };
      open.add(record);
      moved();
      return connectionOf(record, clock, tell, () => void (open.delete(record) && moved()));
    },
    all: () => [...open],
    standing(key) {
      const entry = catalogue.get(key);
      const standings = new Map<ConnectionView, Standing>();
      if (entry === undefined) return standings;
      ordered ??= [...open].toSorted((one, other) => byName(one.gateway, other.gateway));
      for (const record of ordered) {
        if (!record.selects(entry.deliverable)) continue;
        standings.set(record, record.standing(key, entry.deliverable, entry.revision));
      }
      return standings;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    touch(keys) {
      for (const touched of new Set(Array.from(open, ({ knownRefusals }) => knownRefusals))) touched?.touch(keys);
      tell(keys);
    },
  };
}

/** What a door sees of a connection. */
function connectionOf(
  record: ConnectionRecord,
  clock: Clock,
  tell: (changed: ReadonlySet<DeliverableKey> | undefined) => void,
  close: () => void,
): Connection {
  return {
    gateway: record.gateway,
    selects: (deliverable) => record.selects(deliverable),
    heard: () => void (record.lastHeardAt = clock.now()),
    sent: (revision) => void (record.sent = Math.max(record.sent, revision)),
    acknowledged(revision, remarks, problem) {
      record.lastHeardAt = clock.now();
      record.sent = Math.max(record.sent, revision);
      tell(record.acknowledge(revision, remarks, problem, clock.now()));
    },
    remarked: (remarks) => tell(record.remark(remarks)),
    close,
  };
}
