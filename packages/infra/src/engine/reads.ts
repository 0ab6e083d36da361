import { AwsCallError } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import { REASONS } from "../reasons.ts";
import type { AnyKind, Managed } from "./aws-kind.ts";
import type { Book, Reading } from "./book.ts";
import { classOf } from "./error-class.ts";
import { UID_TAG } from "./owner-tags.ts";
import type { Session } from "./session.ts";

/** How long is waited for others who want to be read too. */
const GATHER_MS = 20;
/** How many are read with one call of a kind that says nothing else. */
const MOST_AT_ONCE = 100;

/** What is to be read for an object. */
export interface ReadRequest {
  readonly object: Immutable<Managed>;
  readonly session: Session;
  readonly id: string;
  readonly declared: ReadonlySet<string>;
  /** After how long what was read has to be read again: those who are as late are read with it. */
  readonly intervalMs: number;
}

/** Reads resources and notes what there is in the book. Kinds that can are read together. */
export interface Reads {
  /** Rejects as the kind's calls do. */
  read(request: ReadRequest, signal: AbortSignal): Promise<void>;
}

type Wanted = Pick<ReadRequest, "id" | "declared">;
/** Uids of those who were not read with the others, since AWS refuses what was asked for one of them. Each reads its own. */
type Apart = ReadonlySet<string>;

const NOTHING: ReadonlySet<string> = new Set();

export function createReads(kind: AnyKind, book: Book, clock: Clock): Reads {
  const { readMany, mostAtOnce = MOST_AT_ONCE } = kind;
  const note = (uid: string, reading: Omit<Reading, "why">): void => {
    const { value } = reading.seen ?? {};
    const state = reading.seen === undefined ? undefined : kind.stateOf(value);
    if (state?.is === "ended") book.read(uid, { ...reading, seen: undefined, why: state.message }, false);
    else book.read(uid, reading, reading.seen !== undefined && kind.tagsOf(value)[UID_TAG] === uid);
  };
  const asDeclared = readMany === undefined || kind.manyByDeclared === true;
  const readAlone = async (
    session: Session,
    uid: string,
    { id, declared }: Wanted,
    signal: AbortSignal,
  ): Promise<void> => {
    const at = { turn: book.turn(), begunAt: clock.monotonic(), session: session.key, id };
    const seen = await kind.read({ ...session, signal }, id, declared);
    const value = seen === "absent" ? undefined : { value: seen };
    note(uid, { ...at, declared: asDeclared ? declared : undefined, seen: value });
  };
  if (readMany === undefined) {
    return {
      read: ({ object, session, id, declared }, signal) =>
        readAlone(session, object.metadata.uid ?? "", { id, declared }, signal),
    };
  }

  /** Batches that have not begun, by session. */
  const gathering = new Map<string, { readonly wanted: Map<string, Wanted>; readonly done: Promise<Apart> }>();
  const begin = async (
    session: Session,
    wanted: Map<string, Wanted>,
    intervalMs: number,
    signal: AbortSignal,
  ): Promise<Apart> => {
    await sleep(clock, GATHER_MS, signal);
    gathering.delete(session.key);
    const late = clock.monotonic() - intervalMs / 2;
    for (const [uid, { session: key, id, begunAt, declared = NOTHING }] of book.readings()) {
      if (key === session.key && begunAt <= late && !wanted.has(uid)) wanted.set(uid, { id, declared });
    }
    const all = [...wanted];
    const [only] = all;
    // Reading all there are for the sake of one costs more the more there are.
    if (only !== undefined && all.length === 1 && mostAtOnce > MOST_AT_ONCE) {
      const [uid, one] = only;
      await readAlone(session, uid, one, signal);
      return NOTHING;
    }
    const apart = new Set<string>();
    for (let from = 0; from < all.length; from += mostAtOnce) {
      const batch = all.slice(from, from + mostAtOnce);
      const at = { turn: book.turn(), begunAt: clock.monotonic(), session: session.key };
      const declaredOf = declaredById(batch.map(([, one]) => one));
      try {
        const found = await readMany({ ...session, signal }, [...declaredOf.keys()], declaredOf);
        for (const [uid, { id }] of batch) {
          const declared = asDeclared ? declaredOf.get(id) : undefined;
          note(uid, { ...at, id, declared, seen: found.has(id) ? { value: found.get(id) } : undefined });
        }
      } catch (error) {
        if (all.length === 1 || !isAboutOne(error)) throw error;
        for (const [uid] of batch) apart.add(uid);
      }
    }
    return apart;
  };
  return {
    async read({ object, session, id, declared, intervalMs }, signal) {
      const uid = object.metadata.uid ?? "";
      const one: Wanted = { id, declared };
      const unlessRead = async (apart: Apart): Promise<void> => {
        if (apart.has(uid)) await readAlone(session, uid, one, signal);
      };
      for (let waiting = gathering.get(session.key); waiting !== undefined; waiting = gathering.get(session.key)) {
        waiting.wanted.set(uid, one);
        const apart = await waiting.done.catch((error: unknown) => {
          signal.throwIfAborted();
          if (error instanceof AwsCallError) throw error;
          // Who had begun the batch was told to stop: that is not for those who joined.
          return undefined;
        });
        if (apart !== undefined) return unlessRead(apart);
      }
      const wanted = new Map<string, Wanted>([[uid, one]]);
      const done = begin(session, wanted, intervalMs, signal).finally(() => {
        if (gathering.get(session.key)?.wanted === wanted) gathering.delete(session.key);
      });
      gathering.set(session.key, { wanted, done });
      return unlessRead(await done);
    },
  };
}

/** Whether AWS refuses what was asked, as it does an id that is none. What is denied, or passes, is so for each of them. */
function isAboutOne(error: unknown): boolean {
  if (!(error instanceof AwsCallError)) return false;
  return (error.kind === "terminal" || error.kind === "absent") && classOf(error).reason !== REASONS.Denied;
}

/** Two objects may look at one resource: then what either declares is read. */
function declaredById(batch: readonly Wanted[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>();
  for (const { id, declared } of batch) all.set(id, new Set([...declared, ...(all.get(id) ?? NOTHING)]));
  return all;
}
