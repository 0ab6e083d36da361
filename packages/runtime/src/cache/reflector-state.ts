import type { WatchEvent } from "../client/client.ts";
import type { ReflectorFault } from "./reflector-fault.ts";

/** What a reflector knows beyond the list or watch that it is at. */
export interface ReflectorMemory {
  /** Of the last applied event, bookmark or list: where a watch goes on. */
  readonly resourceVersion: string | undefined;
  /** Whether to try lists as streams of events. False once the server refused. */
  readonly watchList: boolean;
  /** Whether silence means something: believed of every server, until a quiet watch had to be given up and none was seen since. */
  readonly bookmarks: boolean;
  /** The next list asks for the newest state instead of one not older than the last. */
  readonly newest: boolean;
  /** Failures since the last two minutes of health. */
  readonly failures: number;
  /** Since when everything goes well. */
  readonly healthySince: number | undefined;
  /** What is wrong, for people. */
  readonly problem: string | undefined;
}

/**
 * What a reflector does right now. `listing` asks for a list; `streaming` for a list as events that go on as a watch; `watching`
 * follows changes after `memory.resourceVersion`.
 */
export type ReflectorState =
  | { readonly kind: "listing"; readonly memory: ReflectorMemory }
  | { readonly kind: "streaming"; readonly memory: ReflectorMemory }
  | {
      readonly kind: "watching";
      readonly memory: ReflectorMemory;
      readonly since: number;
      /** Whether anything came that moved the version on. */
      readonly progressed: boolean;
    }
  | {
      readonly kind: "backingOff";
      readonly memory: ReflectorMemory;
      /** Before jitter, which may double it. */
      readonly ms: number;
      /** Not less, whatever the jitter: the server asked for it. */
      readonly atLeastMs: number;
      readonly next: "listing" | "streaming" | "watching";
    }
  | { readonly kind: "stopped"; readonly memory: ReflectorMemory };

/** What happens to a reflector, each with its moment on a monotonic clock. */
export type ReflectorInput<T> = { readonly at: number } & (
  | { readonly type: "listed"; readonly resourceVersion: string }
  | { readonly type: "event"; readonly event: WatchEvent<T> }
  /** The server ended the watch. */
  | { readonly type: "ended" }
  | { readonly type: "failed"; readonly fault: ReflectorFault }
  /** Nothing was heard for {@link allowedSilenceMs}; the call was given up. */
  | { readonly type: "silent" }
  /** The backoff is over. */
  | { readonly type: "rested" }
  | { readonly type: "stopped" }
);

/** What to do to the store, at once and in order. */
export type ReflectorEffect<T> =
  /** Keep an event of a list that is not whole yet. */
  | { readonly type: "collect"; readonly event: ObjectEvent<T> }
  /** Forget what was collected. */
  | { readonly type: "discard" }
  /** The collection is whole: it is the state at this version. `anew`: the server's history went back to it. */
  | { readonly type: "replace"; readonly resourceVersion: string; readonly anew: boolean }
  | { readonly type: "apply"; readonly event: ObjectEvent<T> }
  /** An event that is not after the last version. The state at that version is known whole, so it says nothing new. */
  | { readonly type: "ignore"; readonly event: ObjectEvent<T> };

/** An event about an object. */
export type ObjectEvent<T> = Exclude<WatchEvent<T>, { type: "BOOKMARK" }>;

/** Servers that send bookmarks do so about once a minute, from the first minute of a watch on. */
const SILENCE_MS = 90_000;

/** After how long without any sign the call under way is given up. Undefined: when the time that it was given is over. */
export function allowedSilenceMs(state: ReflectorState): number | undefined {
  return state.kind === "watching" && !state.memory.bookmarks ? undefined : SILENCE_MS;
}

/** The version that a list asks for: the first takes what the server has at hand, later ones nothing older than was seen. */
export function listVersion(memory: ReflectorMemory): string | undefined {
  return memory.newest ? undefined : (memory.resourceVersion ?? "0");
}

/** A watch says nothing when it is open. One that has not failed for so long is. */
const OPEN_MS = 10_000;

/** What is wrong at a moment, for people; undefined when the watch is up. */
export function problemOf(state: ReflectorState, at: number): string | undefined {
  if (state.kind === "watching" && at - state.since >= OPEN_MS) return undefined;
  return state.memory.problem;
}

/** The beginning. */
export function beginReflecting(watchList: boolean): ReflectorState {
  const memory: ReflectorMemory = {
    resourceVersion: undefined,
    watchList,
    bookmarks: true,
    newest: false,
    failures: 0,
    healthySince: undefined,
    problem: undefined,
  };
  return { kind: watchList ? "streaming" : "listing", memory };
}
