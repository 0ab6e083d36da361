import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { Entry } from "@gatewright/store";
import type { ObservedChange } from "./change-record.ts";

/** How much is kept. The oldest changes go first; the newest always stays. */
export interface HistoryLimits {
  /** Default: 5,000. */
  readonly changes: number;
  /** Of encoded changes. Default: 16 MiB. */
  readonly bytes: number;
}

/** How far a kind has been followed. */
export interface Cursor {
  readonly resourceVersion: string;
  /** Which cluster the version is of. */
  readonly cluster: string;
}

export interface RecordOptions {
  /** All up to here is recorded with these changes. Left out while more of the same list is to come. */
  readonly cursor?: Cursor;
  /** The objects were there before anybody looked. */
  readonly initial?: boolean;
}

/** The objects of all kinds at one place of the history. Never changes, whatever is recorded meanwhile. */
export interface PresentState {
  readonly position: number;
  /** Records of type ADDED, without id, in the order of kinds and names. */
  entries(): IterableIterator<Entry>;
}

/**
 * The changes of some kinds, in one order, and the objects that they led to. What is seen here is as durable as the history is:
 * nobody is told what a restart could take back. Entries hold the JSON of a {@link ChangeRecord} and its {@link RecordLabels}.
 */
export interface EventHistory {
  /** Whether it outlives the process. */
  readonly durable: boolean;
  /** Names this history; ids of another one mean nothing here. */
  readonly epoch: string;
  /** The place of the newest change; 0 when there never was one. */
  readonly position: number;
  /** Whoever has seen the changes up to here can be told the rest; whoever has seen less must start anew. */
  readonly floor: number;
  /** How far a kind was followed in this cluster; undefined when it never was. */
  cursor(resource: Resource, cluster: string): string | undefined;
  /** Objects of a kind as last recorded. */
  known(resource: Resource): Iterable<Immutable<ApiObject>>;
  /** Records what of these changes is news, in order, with the cursor: all of it or, when it rejects, nothing. */
  record(resource: Resource, changes: readonly ObservedChange[], options?: RecordOptions): Promise<void>;
  /** Changes after a place that is not below the floor, oldest first, as they are now. */
  after(position: number): IterableIterator<Entry>;
  present(): PresentState;
  /** Calls `listener` when there are changes to read. Returns how to leave. */
  onChange(listener: () => void): () => void;
  /** Waits for what is being recorded, and lets go of the files. */
  close(): Promise<void>;
}

/** The place of a change that {@link EventHistory.after} gave. */
export function positionOf(entry: Entry): number {
  return Number(entry.key);
}
