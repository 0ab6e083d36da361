import { deepEqual } from "@gatewright/kube";
import type { Immutable, Json } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { Managed } from "./aws-kind.ts";
import type { Difference } from "./compare.ts";
import type { TagChange } from "./compare-tags.ts";
import type { Tags } from "./owner-tags.ts";

/** What was read of a resource, and when it was begun to be read. */
export interface Reading {
  /** In the order of all that the book knows of. */
  readonly turn: number;
  /** By the monotonic clock. */
  readonly begunAt: number;
  /** Of the session that it was read through. */
  readonly session: string;
  readonly id: string;
  /** Undefined: a kind that always reads all of it. */
  readonly declared: ReadonlySet<string> | undefined;
  /** What there is; undefined: AWS said that there is none. */
  readonly seen: { readonly value: unknown } | undefined;
  /** Why there is none, where AWS tells. */
  readonly why?: string;
}

/** How often a field may be written for one generation of a spec, within how long. */
const MOST_WRITES = 4;
const LOOP_MS = 600_000;
/** How soon the same is written again at the earliest. */
const PACE_MS = 5_000;

/** What this process knows of one object's resource while it leads. Nothing of it is needed after a crash: AWS is read again. */
export interface Page {
  readonly reading: Reading | undefined;
  /** When the first thing was noted. */
  readonly openedAt: number;
  /** When something was last asked to change, and how long ago reads begin to count. */
  readonly wroteAt: number | undefined;
  readonly createdAt: number | undefined;
  /** When the intent of the creation that was not tried yet was written, by this process. */
  readonly intended: string | undefined;
  readonly removedAt: number | undefined;
  /** Since when reads say that it is not there, or not this object's. */
  readonly missedSince: number | undefined;
}

/** Notes of all objects of a kind. */
export interface Book {
  page(object: Immutable<Managed>): Page;
  /** All that have a reading, by uid. */
  readings(): Iterable<readonly [uid: string, reading: Reading]>;
  /** The turn of a read or write that begins now. */
  turn(): number;
  /** Kept unless a later one is known, or something was written meanwhile. `mine`: whether its tags say that it is the object's. */
  read(uid: string, reading: Reading, mine: boolean): void;
  /** The creation will be tried with this token for the first time. */
  intend(object: Immutable<Managed>, token: string): void;
  /** Something was asked to change, whether it succeeded or not: what was read before says nothing any more. */
  wrote(object: Immutable<Managed>): void;
  created(object: Immutable<Managed>): void;
  removed(object: Immutable<Managed>): void;
  changed(object: Immutable<Managed>, fields: ReadonlyMap<string, Json | undefined>): void;
  /** A part of it was written: it neither settles nor counts as a loop. */
  begun(object: Immutable<Managed>, fields: ReadonlyMap<string, Json | undefined>): void;
  tagged(object: Immutable<Managed>, tags: TagChange): void;
  /** What was written within the time that its field takes, by path. */
  settling(object: Immutable<Managed>, settleMs: (path: string) => number): ReadonlyMap<string, Json | undefined>;
  /** The tags with what was written within this time. */
  settledTags(object: Immutable<Managed>, have: Tags, withinMs: number): Tags;
  /** Of these paths those that were written too often for this generation, and when the oldest of the writes is forgotten. */
  loops(
    object: Immutable<Managed>,
    paths: readonly string[],
  ): { readonly paths: readonly string[]; readonly waitMs: number };
  /** Of these those that were written as they are wanted so lately that a read may be behind, and for how long that counts. */
  paced(object: Immutable<Managed>, differences: readonly Pick<Difference, "path" | "want">[]): Paced;
  forget(uid: string): void;
  /** Somebody else may have led meanwhile. */
  clear(): void;
}

/** Fields that are not written again yet. */
export interface Paced {
  readonly paths: ReadonlySet<string>;
  readonly waitMs: number;
}

interface Notes {
  reading: Reading | undefined;
  readonly openedAt: number;
  wroteAt: number | undefined;
  wroteTurn: number;
  createdAt: number | undefined;
  removedAt: number | undefined;
  intended: string | undefined;
  missedSince: number | undefined;
  generation: number | undefined;
  readonly written: Map<string, { readonly value: Json | undefined; readonly at: number }>;
  readonly begun: Map<string, { readonly value: Json | undefined; readonly at: number }>;
  readonly tags: Map<string, { readonly value: string | undefined; readonly at: number }>;
  readonly writes: Map<string, readonly number[]>;
}

export function createBook(clock: Clock): Book {
  const all = new Map<string, Notes>();
  let turns = 0;
  const notesOf = (uid: string): Notes => {
    const known = all.get(uid);
    if (known !== undefined) return known;
    const notes = blank(clock.monotonic());
    all.set(uid, notes);
    return notes;
  };
  const of = ({ metadata }: Immutable<Managed>): Notes => notesOf(metadata.uid ?? "");
  const wrote = (object: Immutable<Managed>): Notes => {
    const notes = of(object);
    notes.wroteAt = clock.monotonic();
    notes.wroteTurn = ++turns;
    notes.reading = undefined;
    notes.intended = undefined;
    notes.missedSince = undefined;
    return notes;
  };
  return {
    page: of,
    *readings() {
      for (const [uid, { reading }] of all) if (reading !== undefined) yield [uid, reading];
    },
    turn: () => ++turns,
    read(uid, reading, mine) {
      const notes = notesOf(uid);
      if (reading.turn < notes.wroteTurn || reading.turn < (notes.reading?.turn ?? 0)) return;
      notes.reading = reading;
      notes.missedSince = mine ? undefined : (notes.missedSince ?? reading.begunAt);
    },
    intend: (object, token) => void (of(object).intended = token),
    wrote,
    created(object) {
      const notes = wrote(object);
      notes.createdAt = clock.monotonic();
      notes.removedAt = undefined;
    },
    removed(object) {
      wrote(object).removedAt = clock.monotonic();
    },
    changed(object, fields) {
      const notes = wrote(object);
      const now = clock.monotonic();
      if (notes.generation !== object.metadata.generation) notes.writes.clear();
      notes.generation = object.metadata.generation;
      for (const [path, value] of fields) {
        notes.written.set(path, { value, at: now });
        notes.writes.set(path, [...(notes.writes.get(path) ?? []), now].slice(-MOST_WRITES));
      }
    },
    begun(object, fields) {
      const notes = wrote(object);
      const at = clock.monotonic();
      for (const [path, value] of fields) notes.begun.set(path, { value, at });
    },
    tagged(object, { set, remove }) {
      const notes = wrote(object);
      const at = clock.monotonic();
      for (const [key, value] of Object.entries(set)) notes.tags.set(key, { value, at });
      for (const key of remove) notes.tags.set(key, { value: undefined, at });
    },
    settling(object, settleMs) {
      const now = clock.monotonic();
      const late = [...of(object).written].filter(([path, { at }]) => at + settleMs(path) > now);
      return new Map(late.map(([path, { value }]) => [path, value]));
    },
    settledTags(object, have, withinMs) {
      const since = clock.monotonic() - withinMs;
      const tags = new Map(Object.entries(have));
      for (const [key, { value, at }] of of(object).tags) {
        if (at <= since) continue;
        if (value === undefined) tags.delete(key);
        else tags.set(key, value);
      }
      return Object.fromEntries(tags);
    },
    loops(object, paths) {
      const { generation, writes } = of(object);
      if (generation !== object.metadata.generation) return { paths: [], waitMs: 0 };
      const now = clock.monotonic();
      const ends = paths.flatMap((path) => {
        const times = writes.get(path) ?? [];
        const [oldest = 0] = times;
        return times.length < MOST_WRITES || oldest <= now - LOOP_MS ? [] : [{ path, ms: oldest + LOOP_MS - now }];
      });
      return { paths: ends.map(({ path }) => path), waitMs: Math.max(0, ...ends.map(({ ms }) => ms)) };
    },
    paced(object, differences) {
      const now = clock.monotonic();
      const { written, begun } = of(object);
      const late = differences.flatMap(({ path, want }) => {
        const ends = [written.get(path), begun.get(path)].flatMap((last) =>
          last !== undefined && deepEqual(last.value, want) ? [last.at + PACE_MS - now] : [],
        );
        const ms = Math.max(0, ...ends);
        return ms > 0 ? [{ path, ms }] : [];
      });
      return { paths: new Set(late.map(({ path }) => path)), waitMs: Math.max(0, ...late.map(({ ms }) => ms)) };
    },
    forget: (uid) => void all.delete(uid),
    clear: () => all.clear(),
  };
}

function blank(openedAt: number): Notes {
  return {
    reading: undefined,
    openedAt,
    wroteAt: undefined,
    wroteTurn: 0,
    createdAt: undefined,
    removedAt: undefined,
    intended: undefined,
    missedSince: undefined,
    generation: undefined,
    written: new Map(),
    begun: new Map(),
    tags: new Map(),
    writes: new Map(),
  };
}
