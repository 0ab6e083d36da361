import type { LeaseTiming } from "./lease-timing.ts";
import { JITTER } from "./lease-timing.ts";
import { renewTimeAfter, sameSpec } from "./lease-record.ts";
import type { LeaseSpec, StoredLease } from "./lease-record.ts";

/**
 * Leader election as a state machine. Pure: `step` says what to do next, a driver does it and tells what came of it.
 *
 * At most one process is valid at a time, if no two monotonic clocks differ in rate by more than duration/renewDeadline:
 *
 * - A holder is valid until renewDeadline after the moment *before* it sent the write that the server accepted, on its own clock.
 * - Another takes over only after it saw the record unchanged for the whole duration on its own clock, counted from when it had
 *   *received* the record, so from after the server stored it. Its write is conditional on that version, so it fails if the
 *   holder renewed meanwhile; and every renewal changes the record.
 * - The takeover is therefore stored duration/rate(other) after the last renewal was sent at the earliest, and the holder stops
 *   being valid renewDeadline/rate(holder) after it: sooner, as long as rate(other)/rate(holder) ≤ duration/renewDeadline.
 *
 * What this does not cover: somebody who deletes or edits the lease by hand, a request that was sent while valid and arrives
 * later, and a machine whose monotonic clock stands still while it is suspended.
 */
export type ElectionState =
  | { readonly phase: "following"; readonly seen: Sighting | undefined; readonly attempts: readonly Attempt[] }
  | {
      readonly phase: "trying";
      readonly seen: Sighting | undefined;
      readonly attempts: readonly Attempt[];
      readonly writing: LeaseSpec;
    }
  | {
      readonly phase: "leading";
      readonly held: StoredLease;
      readonly validUntil: number;
      readonly attempts: readonly Attempt[];
      /** The renewal under way; undefined while waiting or reading. */
      readonly writing: LeaseSpec | undefined;
      /** The quick renewal failed, so the record is read before the next one. */
      readonly slow: boolean;
    }
  | {
      readonly phase: "releasing";
      readonly held: StoredLease | undefined;
      readonly attempts: readonly Attempt[];
      readonly until: number;
    }
  | { readonly phase: "stopped"; readonly released: boolean };

/** A record of the lease and when it was first seen like that, on the monotonic clock. */
export interface Sighting {
  readonly lease: StoredLease;
  readonly at: number;
}

/** A write of this process that the server may have stored: if the record shows it, it counts from before it was sent. */
export interface Attempt {
  readonly spec: LeaseSpec;
  readonly sentAt: number;
}

/** Moments of an input: monotonic, and on the wall for timestamps. */
interface Moment {
  readonly at: number;
  readonly wall: number;
}

export type ElectionInput =
  | ({ readonly kind: "woke" | "stop" } & Moment)
  | ({ readonly kind: "read"; readonly lease: StoredLease | undefined } & Moment)
  | ({ readonly kind: "wrote"; readonly lease: StoredLease; readonly sentAt: number } & Moment)
  /** The server did not store the write: somebody else wrote first, or the lease is gone. */
  | ({ readonly kind: "refused" } & Moment)
  /** No answer, or one that says nothing: a write may have been stored. */
  | ({ readonly kind: "failed"; readonly sentAt: number } & Moment);

/** What the driver does next. `spreadMs`: a random part of it is added. */
export type ElectionEffect =
  | { readonly kind: "wait"; readonly ms: number; readonly spreadMs: number }
  | { readonly kind: "read" }
  | { readonly kind: "write"; readonly spec: LeaseSpec; readonly base: StoredLease | undefined }
  | { readonly kind: "end" };

export interface ElectionStep {
  readonly state: ElectionState;
  readonly effect: ElectionEffect;
}

export interface ElectionRules extends LeaseTiming {
  readonly identity: string;
}

/** More writes than this are never in doubt at once; one that is forgotten counts as somebody else's, which is safe. */
const MAX_ATTEMPTS = 16;

/** The beginning: nothing is known, so the record is read. */
export function beginElection(): ElectionStep {
  return { state: { phase: "following", seen: undefined, attempts: [] }, effect: { kind: "read" } };
}

/** The next state and what to do. Inputs must answer the effect that was given last; `stop` may come instead of `woke`. */
export function step(state: ElectionState, input: ElectionInput, rules: ElectionRules): ElectionStep {
  if (state.phase === "stopped") return { state, effect: { kind: "end" } };
  if (input.kind === "stop") return state.phase === "releasing" ? read(state) : stop(state, input, rules);
  switch (state.phase) {
    case "following":
      return follow(state, input, rules);
    case "trying":
      return tried(state, input, rules);
    case "leading":
      return lead(state, input, rules);
    case "releasing":
      return release(state, input, rules);
  }
}

/** Until when a state's process is certain to hold the lease. */
export function validityOf(state: ElectionState): number {
  return state.phase === "leading" ? state.validUntil : Number.NEGATIVE_INFINITY;
}

type State<P extends ElectionState["phase"]> = Extract<ElectionState, { phase: P }>;

function read(state: ElectionState): ElectionStep {
  return { state, effect: { kind: "read" } };
}

function follow(state: State<"following">, input: ElectionInput, rules: ElectionRules): ElectionStep {
  if (input.kind === "woke") return read(state);
  if (input.kind !== "read") return waitToTry(state, rules);
  const { lease, at } = input;
  if (lease === undefined) return tryFor({ ...state, seen: undefined }, input, rules);
  const own = ownWrite(state.attempts, lease);
  if (own !== undefined) {
    const valid = at < own.sentAt + rules.renewDeadlineMs;
    if (valid) return settle(lease, own.sentAt, state.attempts, at, rules);
    return tryFor({ ...state, seen: { lease, at } }, input, rules);
  }
  const known = state.seen !== undefined && sameSpec(state.seen.lease.spec, lease.spec);
  const seen: Sighting = { lease, at: known ? state.seen.at : at };
  const next = { ...state, seen };
  return isFree(seen, at, rules) ? tryFor(next, input, rules) : waitToTry(next, rules);
}

function waitToTry(state: State<"following">, { retryMs }: ElectionRules): ElectionStep {
  return { state, effect: { kind: "wait", ms: retryMs, spreadMs: JITTER * retryMs } };
}

/** Whether the holder has been silent for so long, on this process's clock, that it cannot be valid any more. */
function isFree({ lease: { spec }, at: since }: Sighting, at: number, rules: ElectionRules): boolean {
  if (spec.holderIdentity === "") return true;
  const durationMs = spec.leaseDurationSeconds > 0 ? spec.leaseDurationSeconds * 1000 : rules.durationMs;
  return at >= since + durationMs;
}

function tryFor(state: State<"following">, { wall }: Moment, rules: ElectionRules): ElectionStep {
  const base = state.seen?.lease;
  const writing = holding(base, wall, rules);
  return { state: { ...state, phase: "trying", writing }, effect: { kind: "write", spec: writing, base } };
}

function tried(state: State<"trying">, input: ElectionInput, rules: ElectionRules): ElectionStep {
  const { seen, attempts, writing } = state;
  if (input.kind === "wrote") {
    return settle(input.lease, input.sentAt, remember(attempts, writing, input.sentAt), input.at, rules);
  }
  const doubtful = input.kind === "failed" ? remember(attempts, writing, input.sentAt) : attempts;
  return waitToTry({ phase: "following", seen, attempts: doubtful }, rules);
}

/** The record is ours since `sentAt`: leads if that is still valid, and otherwise tries again. */
function settle(
  lease: StoredLease,
  sentAt: number,
  attempts: readonly Attempt[],
  at: number,
  rules: ElectionRules,
): ElectionStep {
  const validUntil = sentAt + rules.renewDeadlineMs;
  if (at < validUntil) {
    return waitToRenew({ phase: "leading", held: lease, validUntil, attempts, writing: undefined, slow: false }, rules);
  }
  return waitToTry({ phase: "following", seen: { lease, at }, attempts }, rules);
}

function waitToRenew(state: State<"leading">, { retryMs }: ElectionRules): ElectionStep {
  return { state: { ...state, writing: undefined }, effect: { kind: "wait", ms: retryMs, spreadMs: 0 } };
}

function lead(state: State<"leading">, input: ElectionInput, rules: ElectionRules): ElectionStep {
  if (input.kind === "wrote") {
    const attempts = state.writing === undefined ? state.attempts : remember([], state.writing, input.sentAt);
    const validUntil = Math.max(state.validUntil, input.sentAt + rules.renewDeadlineMs);
    return unlessOver({ ...state, held: input.lease, validUntil, attempts, slow: false }, input.at, rules, waitToRenew);
  }
  if (input.kind === "read") return leadOn(state, input, rules);
  if (input.kind === "woke") return unlessOver(state, input.at, rules, (valid) => renew(valid, input, rules));
  const doubtful =
    input.kind === "failed" && state.writing !== undefined
      ? { ...state, attempts: remember(state.attempts, state.writing, input.sentAt) }
      : state;
  const readNext = state.writing !== undefined && !state.slow;
  return unlessOver(doubtful, input.at, rules, (valid) =>
    readNext ? read({ ...valid, writing: undefined, slow: true }) : waitToRenew({ ...valid, slow: false }, rules),
  );
}

/** The record was read because a renewal failed: goes on if it is ours still, and gives up at once if it is not. */
function leadOn(
  state: State<"leading">,
  input: Extract<ElectionInput, { kind: "read" }>,
  rules: ElectionRules,
): ElectionStep {
  const { lease, at } = input;
  const own = lease === undefined ? undefined : ownWrite(state.attempts, lease);
  if (lease === undefined || own === undefined) {
    return follow({ phase: "following", seen: undefined, attempts: state.attempts }, input, rules);
  }
  const validUntil = Math.max(state.validUntil, own.sentAt + rules.renewDeadlineMs);
  return unlessOver({ ...state, held: lease, validUntil }, at, rules, (valid) => renew(valid, input, rules));
}

function unlessOver(
  state: State<"leading">,
  at: number,
  rules: ElectionRules,
  then: (state: State<"leading">, rules: ElectionRules) => ElectionStep,
): ElectionStep {
  if (at < state.validUntil) return then(state, rules);
  return waitToTry({ phase: "following", seen: { lease: state.held, at }, attempts: state.attempts }, rules);
}

function renew(state: State<"leading">, { wall }: Moment, rules: ElectionRules): ElectionStep {
  const writing = holding(state.held, wall, rules);
  return { state: { ...state, writing }, effect: { kind: "write", spec: writing, base: state.held } };
}

function stop(state: Exclude<ElectionState, State<"stopped">>, input: Moment, rules: ElectionRules): ElectionStep {
  const until = input.at + rules.renewDeadlineMs;
  if (state.phase === "leading") {
    const releasing: State<"releasing"> = { phase: "releasing", held: state.held, attempts: state.attempts, until };
    return writeRelease(releasing, state.held, input);
  }
  if (state.attempts.length === 0) return end(false);
  return read({ phase: "releasing", held: undefined, attempts: state.attempts, until });
}

function writeRelease(state: State<"releasing">, held: StoredLease, { wall }: Moment): ElectionStep {
  const renewTime = renewTimeAfter(held.spec.renewTime, wall);
  const spec: LeaseSpec = {
    ...held.spec,
    holderIdentity: "",
    leaseDurationSeconds: 1,
    acquireTime: renewTime,
    renewTime,
  };
  return { state: { ...state, held }, effect: { kind: "write", spec, base: held } };
}

function release(state: State<"releasing">, input: ElectionInput, rules: ElectionRules): ElectionStep {
  if (input.kind === "wrote") return end(true);
  if (input.at >= state.until) return end(false);
  if (input.kind === "read") {
    const { lease } = input;
    if (lease === undefined || ownWrite(state.attempts, lease) === undefined) {
      return end(lease?.spec.holderIdentity === "");
    }
    return writeRelease(state, lease, input);
  }
  if (input.kind === "failed") {
    return { state, effect: { kind: "wait", ms: Math.min(rules.retryMs, rules.renewDeadlineMs / 10), spreadMs: 0 } };
  }
  return read(state);
}

function end(released: boolean): ElectionStep {
  return { state: { phase: "stopped", released }, effect: { kind: "end" } };
}

/** The record with this process as its holder: a new term unless the record names it already. */
function holding(base: StoredLease | undefined, wall: number, rules: ElectionRules): LeaseSpec {
  const renewTime = renewTimeAfter(base?.spec.renewTime, wall);
  const same = base?.spec.holderIdentity === rules.identity;
  return {
    holderIdentity: rules.identity,
    leaseDurationSeconds: Math.ceil(rules.durationMs / 1000),
    acquireTime: same ? base.spec.acquireTime : renewTime,
    renewTime,
    leaseTransitions: base === undefined ? 0 : base.spec.leaseTransitions + (same ? 0 : 1),
  };
}

function remember(attempts: readonly Attempt[], spec: LeaseSpec, sentAt: number): readonly Attempt[] {
  return [...attempts.slice(1 - MAX_ATTEMPTS), { spec, sentAt }];
}

/** The write of this process that a record shows; the earliest, should two be alike. */
function ownWrite(attempts: readonly Attempt[], { spec }: StoredLease): Attempt | undefined {
  return attempts.find((attempt) => sameSpec(attempt.spec, spec));
}
