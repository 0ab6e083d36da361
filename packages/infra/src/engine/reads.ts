import { AwsCallError } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { sleep } from "@gatewright/ports";
import type { AnyKind, Managed } from "./aws-kind.ts";
import type { Book, Reading } from "./book.ts";
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

const NOTHING: ReadonlySet<string> = new Set();

export function createReads(kind: AnyKind, book: Book, clock: Clock): Reads {
  const { readMany, mostAtOnce = MOST_AT_ONCE } = kind;
  const note = (uid: string, reading: Reading): void =>
    book.read(uid, reading, reading.seen !== undefined && kind.tagsOf(reading.seen.value)[UID_TAG] === uid);
  if (readMany === undefined) {
    return {
      async read({ object, session, id, declared }, signal) {
        const at = { turn: book.turn(), begunAt: clock.monotonic(), session: session.key, id, declared };
        const seen = await kind.read({ ...session, signal }, id, declared);
        note(object.metadata.uid ?? "", { ...at, seen: seen === "absent" ? undefined : { value: seen } });
      },
    };
  }

  /** Batches that have not begun, by session. */
  const gathering = new Map<string, { readonly wanted: Map<string, Wanted>; readonly done: Promise<void> }>();
  const begin = async (session: Session, wanted: Map<string, Wanted>, intervalMs: number, signal: AbortSignal) => {
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
      const [uid, { id, declared }] = only;
      const at = { turn: book.turn(), begunAt: clock.monotonic(), session: session.key };
      const seen = await kind.read({ ...session, signal }, id, declared);
      note(uid, { ...at, id, declared: undefined, seen: seen === "absent" ? undefined : { value: seen } });
      return;
    }
    for (let from = 0; from < all.length; from += mostAtOnce) {
      const batch = all.slice(from, from + mostAtOnce);
      const at = { turn: book.turn(), begunAt: clock.monotonic(), session: session.key };
      const declaredOf = declaredById(batch.map(([, one]) => one));
      const found = await readMany({ ...session, signal }, [...declaredOf.keys()], declaredOf);
      for (const [uid, { id }] of batch) {
        const declared = kind.manyByDeclared === true ? declaredOf.get(id) : undefined;
        note(uid, { ...at, id, declared, seen: found.has(id) ? { value: found.get(id) } : undefined });
      }
    }
  };
  return {
    async read({ object, session, id, declared, intervalMs }, signal) {
      const uid = object.metadata.uid ?? "";
      for (let waiting = gathering.get(session.key); waiting !== undefined; waiting = gathering.get(session.key)) {
        waiting.wanted.set(uid, { id, declared });
        try {
          return await waiting.done;
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof AwsCallError) throw error;
          // Who had begun the batch was told to stop: that is not for those who joined.
        }
      }
      const wanted = new Map<string, Wanted>([[uid, { id, declared }]]);
      const done = begin(session, wanted, intervalMs, signal).finally(() => {
        if (gathering.get(session.key)?.wanted === wanted) gathering.delete(session.key);
      });
      gathering.set(session.key, { wanted, done });
      return done;
    },
  };
}

/** Two objects may look at one resource: then what either declares is read. */
function declaredById(batch: readonly Wanted[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, ReadonlySet<string>>();
  for (const { id, declared } of batch) all.set(id, new Set([...declared, ...(all.get(id) ?? NOTHING)]));
  return all;
}
