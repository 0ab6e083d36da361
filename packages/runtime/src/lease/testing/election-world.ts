import { beginElection, step, validityOf } from "../election.ts";
import type { ElectionEffect, ElectionInput, ElectionRules, ElectionState } from "../election.ts";
import { leaseBody, readLease } from "../lease-record.ts";
import type { LeaseSpec, StoredLease } from "../lease-record.ts";

/** A process that takes part: its clock runs `rate` times as fast as true time and begins at `offset`. */
export interface Candidate {
  readonly rate: number;
  readonly offset: number;
  /** When it stands still, in true milliseconds. */
  readonly pauses: readonly { readonly from: number; readonly ms: number }[];
  /** How much longer replies take to it than to others. */
  readonly lateMs?: number;
  /** When it is asked to stop. */
  readonly stopAt?: number;
}

/** What happens to a request: how long each way takes, and which way is lost. */
export interface Fate {
  readonly thereMs: number;
  readonly backMs: number;
  readonly lost: "none" | "request" | "reply";
}

export interface Plan {
  readonly candidates: readonly Candidate[];
  /** Used in turn; after the last one, requests take a millisecond and none is lost. */
  readonly fates: readonly Fate[];
  readonly untilMs: number;
}

export interface WorldResult {
  /** Moments at which two were valid at once. */
  readonly overlaps: readonly string[];
  /** Who led at the end. */
  readonly leader: number | undefined;
  /** How often somebody began to lead. */
  readonly terms: number;
  readonly phases: readonly ElectionState["phase"][];
}

interface Process extends Candidate {
  readonly id: number;
  readonly rules: ElectionRules;
  state: ElectionState;
  /** Answers to anything but the effect of this number come too late. */
  turn: number;
  wasValid: boolean;
}

/** Runs candidates on true time, one event after the other, against a lease in memory. */
export function runElection(plan: Plan, timing: Omit<ElectionRules, "identity">): WorldResult {
  const events: { readonly at: number; readonly order: number; readonly fire: () => void }[] = [];
  const fates = [...plan.fates];
  const overlaps: string[] = [];
  let now = 0;
  let order = 0;
  let terms = 0;
  let version = 0;
  let stored: StoredLease | undefined;

  const at = (time: number, fire: () => void): void => void events.push({ at: time, order: order++, fire });
  const clockOf = (process: Process): number => process.offset + now * process.rate;
  const moment = (process: Process) => ({ at: clockOf(process), wall: 1_900_000_000_000 + now });

  const write = (spec: LeaseSpec, base: StoredLease | undefined): StoredLease | undefined => {
    if (base?.resourceVersion !== stored?.resourceVersion) return undefined;
    const body = leaseBody({ namespace: "n", name: "l" }, spec, base);
    stored = readLease({ ...body, metadata: { name: "l", namespace: "n", resourceVersion: String(++version) } });
    return stored;
  };

  /** At that time, or when the pause is over that the process then is in. */
  const whenAwake = (process: Process, time: number, act: () => void): void => {
    const pause = process.pauses.find(({ from, ms }) => time >= from && time < from + ms);
    if (pause === undefined) at(time, act);
    else whenAwake(process, pause.from + pause.ms, act);
  };

  const answer = (process: Process, turn: number, input: () => ElectionInput): void => {
    if (process.turn === turn) advance(process, input());
  };

  const perform = (process: Process, effect: ElectionEffect): void => {
    const turn = ++process.turn;
    if (effect.kind === "end") return;
    if (effect.kind === "wait") {
      const ms = effect.ms + effect.spreadMs * (((process.id * 7 + turn * 3) % 10) / 10);
      whenAwake(process, now + ms / process.rate, () =>
        answer(process, turn, () => ({ kind: "woke", ...moment(process) })),
      );
      return;
    }
    const sentAt = clockOf(process);
    const fate = fates.shift() ?? { thereMs: 1, backMs: 1, lost: "none" };
    whenAwake(process, now + process.rules.callMs / process.rate, () =>
      answer(process, turn, () => ({ kind: "failed", sentAt, ...moment(process) })),
    );
    if (fate.lost === "request") return;
    at(now + fate.thereMs, () => {
      const lease = effect.kind === "read" ? stored : write(effect.spec, effect.base);
      if (fate.lost === "reply") return;
      whenAwake(process, now + fate.backMs + (process.lateMs ?? 0), () =>
        answer(process, turn, () => {
          if (effect.kind === "read") return { kind: "read", lease, ...moment(process) };
          if (lease === undefined) return { kind: "refused", ...moment(process) };
          return { kind: "wrote", lease, sentAt, ...moment(process) };
        }),
      );
    });
  };

  const advance = (process: Process, input: ElectionInput): void => {
    const next = step(process.state, input, process.rules);
    process.state = next.state;
    perform(process, next.effect);
  };

  const isValid = (process: Process): boolean => validityOf(process.state) > clockOf(process);

  const processes = plan.candidates.map((candidate, id): Process => ({
    ...candidate,
    id,
    rules: { ...timing, identity: `process-${id}` },
    state: beginElection().state,
    turn: 0,
    wasValid: false,
  }));
  for (const process of processes) {
    whenAwake(process, process.id, () => perform(process, beginElection().effect));
    if (process.stopAt !== undefined) {
      whenAwake(process, process.stopAt, () => advance(process, { kind: "stop", ...moment(process) }));
    }
  }
  while (events.length > 0) {
    events.sort((a, b) => a.at - b.at || a.order - b.order);
    const event = events.shift()!;
    if (event.at > plan.untilMs) break;
    now = event.at;
    event.fire();
    const valid = processes.filter(isValid);
    if (valid.length > 1) overlaps.push(`${now}: ${valid.map(({ id }) => id).join(" and ")}`);
    for (const process of processes) {
      if (isValid(process) && !process.wasValid) terms++;
      process.wasValid = isValid(process);
    }
  }
  return {
    overlaps,
    leader: processes.find(isValid)?.id,
    terms,
    phases: processes.map(({ state }) => state.phase),
  };
}
