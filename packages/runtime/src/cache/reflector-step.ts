import { compareResourceVersions } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { WatchEvent } from "../client/client.ts";
import type { ReflectorFault } from "./reflector-fault.ts";
import type { ReflectorEffect, ReflectorInput, ReflectorMemory, ReflectorState } from "./reflector-state.ts";

/** Where a reflector goes, and what it does to the store on the way. */
export interface ReflectorStep<T> {
  readonly state: ReflectorState;
  readonly effects: readonly ReflectorEffect<T>[];
}

const FIRST_BACKOFF_MS = 800;
const MAX_BACKOFF_MS = 30_000;
/** A kind that is not served yet is asked for more often: users wait for it after they installed it, and a 404 costs little. */
const MAX_MISSING_BACKOFF_MS = 5_000;
const HEALTHY_MS = 120_000;
/** A watch that ends sooner without having brought anything has failed. */
const SHORT_WATCH_MS = 1_000;
/** After so many failures of the watch in a row, the version to go on from is itself under suspicion. */
const FAILURES_BEFORE_LIST = 5;

const NO_EFFECTS: readonly never[] = Object.freeze([]);
const DISCARD: readonly ReflectorEffect<never>[] = Object.freeze([{ type: "discard" } as const]);

/** The next state of a reflector. Pure. Inputs that make no sense in a state leave it as it is. */
export function stepReflector<T extends ApiObject>(state: ReflectorState, input: ReflectorInput<T>): ReflectorStep<T> {
  if (state.kind === "stopped") return stay(state);
  if (input.type === "stopped") return { state: { kind: "stopped", memory: state.memory }, effects: DISCARD };
  switch (state.kind) {
    case "listing":
      return listing(state.memory, input);
    case "streaming":
      return streaming(state.memory, input);
    case "watching":
      return watching(state, input);
    case "backingOff":
      return input.type === "rested" ? stay(enter(state.next, state.memory, input.at)) : stay(state);
  }
}

function listing<T extends ApiObject>(memory: ReflectorMemory, input: ReflectorInput<T>): ReflectorStep<T> {
  switch (input.type) {
    case "listed":
      return complete(memory, input.resourceVersion, input.at);
    case "failed":
      return listFailed("listing", memory, input.fault, input.at);
    case "silent":
      return listFailed("listing", memory, SILENT, input.at);
    default:
      return stay({ kind: "listing", memory });
  }
}

function streaming<T extends ApiObject>(memory: ReflectorMemory, input: ReflectorInput<T>): ReflectorStep<T> {
  switch (input.type) {
    case "event": {
      const { event } = input;
      if (event.type !== "BOOKMARK")
        return { state: { kind: "streaming", memory }, effects: [{ type: "collect", event }] };
      if (!event.initialEventsEnd) return stay({ kind: "streaming", memory });
      return complete(memory, event.resourceVersion, input.at);
    }
    case "failed":
      if (input.fault.kind !== "unsupported")
        return listFailed(afterStream(input.fault), memory, input.fault, input.at);
      return { state: { kind: "listing", memory: { ...memory, watchList: false } }, effects: DISCARD };
    case "ended":
      return listFailed("listing", memory, ENDED_EARLY, input.at);
    case "silent":
      return listFailed("listing", memory, SILENT, input.at);
    default:
      return stay({ kind: "streaming", memory });
  }
}

/** A stream that was begun and broke off is followed by a plain list, which a bad line disturbs for a shorter time. */
function afterStream(fault: ReflectorFault): "listing" | "streaming" {
  return fault.kind === "cut" || fault.kind === "broken" ? "listing" : "streaming";
}

function watching<T extends ApiObject>(
  state: ReflectorState & { kind: "watching" },
  input: ReflectorInput<T>,
): ReflectorStep<T> {
  switch (input.type) {
    case "event":
      return followed(state, input.event, input.at);
    case "ended":
      return watchEnded(state, ENDED_AT_ONCE, input.at);
    case "silent":
      // The next stream has to show again that silence means something: a server may have stopped to send bookmarks.
      return watchFailed({ ...state.memory, bookmarks: false }, SILENT, input.at, "first at once");
    case "failed":
      if (input.fault.kind === "cut") return watchEnded(state, input.fault, input.at);
      return watchFailed(state.memory, input.fault, input.at, "later");
    default:
      return stay(state);
  }
}

/** Applies an event and moves the version on: never back, and never by what is not applied. */
function followed<T extends ApiObject>(
  state: ReflectorState & { kind: "watching" },
  event: WatchEvent<T>,
  at: number,
): ReflectorStep<T> {
  const { memory } = state;
  const version = event.type === "BOOKMARK" ? event.resourceVersion : versionOf(event.object);
  const late = version === memory.resourceVersion || isOlder(version, memory.resourceVersion);
  const bookmarks = memory.bookmarks || (event.type === "BOOKMARK" && !event.initialEventsEnd);
  const next: ReflectorState = {
    kind: "watching",
    memory: well({ ...memory, bookmarks, resourceVersion: late ? memory.resourceVersion : version }, at),
    since: state.since,
    progressed: state.progressed || !late,
  };
  if (event.type === "BOOKMARK") return stay(next);
  return { state: next, effects: [{ type: late ? "ignore" : "apply", event }] };
}

/** A list is whole. One that is older than what was seen comes from a server that lags, unless it is the newest there is. */
function complete<T extends ApiObject>(memory: ReflectorMemory, resourceVersion: string, at: number): ReflectorStep<T> {
  const older = isOlder(resourceVersion, memory.resourceVersion);
  if (older && !memory.newest) return listFailed("listing", memory, STALE_LIST, at);
  const next: ReflectorMemory = well({ ...memory, resourceVersion, newest: false }, at);
  return { state: enter("watching", next, at), effects: [{ type: "replace", resourceVersion, anew: older }] };
}

function listFailed<T>(
  next: "listing" | "streaming",
  before: ReflectorMemory,
  fault: ReflectorFault,
  at: number,
): ReflectorStep<T> {
  const asksNewest = fault.kind === "gone" || fault.kind === "ahead" || fault.kind === "unsupported";
  const memory = failed({ ...before, newest: before.newest || asksNewest }, fault, at);
  const atOnce = (fault.kind === "gone" || fault.kind === "ahead") && !before.newest;
  return { state: atOnce ? { kind: next, memory } : backOff(next, memory, fault), effects: DISCARD };
}

/** A watch that was of use goes on at once; one that was not has failed. */
function watchEnded<T>(
  state: ReflectorState & { kind: "watching" },
  fault: ReflectorFault,
  at: number,
): ReflectorStep<T> {
  if (state.progressed || at - state.since >= SHORT_WATCH_MS) {
    return stay(enter("watching", well(state.memory, state.since), at));
  }
  return watchFailed(state.memory, fault, at, "later");
}

function watchFailed<T>(
  before: ReflectorMemory,
  fault: ReflectorFault,
  at: number,
  when: "later" | "first at once",
): ReflectorStep<T> {
  const memory = failed({ ...before, newest: before.newest || fault.kind === "ahead" }, fault, at);
  const relist = memory.watchList ? "streaming" : "listing";
  switch (fault.kind) {
    case "gone":
    case "ahead":
      return stay(memory.failures === 1 ? { kind: relist, memory } : backOff(relist, memory, fault));
    case "unavailable":
      return stay(backOff("watching", memory, fault));
    case "cut": {
      if (when === "first at once" && memory.failures === 1) return stay(enter("watching", memory, at));
      return stay(backOff(memory.failures < FAILURES_BEFORE_LIST ? "watching" : relist, memory, fault));
    }
    case "missing":
    case "unsupported":
    case "broken":
      return stay(backOff(relist, memory, fault));
  }
}

function backOff(
  next: "listing" | "streaming" | "watching",
  memory: ReflectorMemory,
  fault: ReflectorFault,
): ReflectorState {
  const most = fault.kind === "missing" ? MAX_MISSING_BACKOFF_MS : MAX_BACKOFF_MS;
  const ms = Math.min(FIRST_BACKOFF_MS * 2 ** (memory.failures - 1), most);
  return { kind: "backingOff", memory, ms, atLeastMs: fault.retryAfterMs, next };
}

function enter(kind: "listing" | "streaming" | "watching", memory: ReflectorMemory, at: number): ReflectorState {
  return kind === "watching" ? { kind, memory, since: at, progressed: false } : { kind, memory };
}

function failed(memory: ReflectorMemory, fault: ReflectorFault, at: number): ReflectorMemory {
  const wasHealthy = memory.healthySince !== undefined && at - memory.healthySince >= HEALTHY_MS;
  const failures = wasHealthy ? 1 : memory.failures + 1;
  return { ...memory, failures, healthySince: undefined, problem: fault.message };
}

function well(memory: ReflectorMemory, at: number): ReflectorMemory {
  return { ...memory, healthySince: memory.healthySince ?? at, problem: undefined };
}

function stay(state: ReflectorState): ReflectorStep<never> {
  return { state, effects: NO_EFFECTS };
}

function isOlder(version: string, than: string | undefined): boolean {
  return than !== undefined && (compareResourceVersions(version, than) ?? 0) < 0;
}

function versionOf(object: Immutable<ApiObject>): string {
  return object.metadata.resourceVersion ?? "";
}

function own(kind: ReflectorFault["kind"], message: string): ReflectorFault {
  return { kind, message, retryAfterMs: 0 };
}
const SILENT = own("cut", "the server fell silent");
const ENDED_EARLY = own("cut", "the server ended the list before it was whole");
const ENDED_AT_ONCE = own("cut", "the server ended the watch as soon as it began");
const STALE_LIST = own("ahead", "the server listed an older state than it had shown before");
