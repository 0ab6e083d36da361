import { sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import type { Log } from "@gatewright/telemetry";
import type { Transport } from "../transport/transport.ts";
import { beginElection, step, validityOf } from "./election.ts";
import type { ElectionEffect, ElectionInput, ElectionState, ElectionStep } from "./election.ts";
import type { Elector, LeaseOptions } from "./elector.ts";
import { leaseCalls } from "./lease-calls.ts";
import { leaseTiming } from "./lease-timing.ts";
import { createTerm } from "./term.ts";

export interface ElectorDependencies {
  /** Not through the write gate: that one waits for this. Best a connection of its own. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: Log;
  /** While it says no, the lease is neither renewed nor tried for. Default: always yes. */
  readonly fit?: () => boolean;
  /** Called after each step, with what is certain from then on. */
  readonly changed?: (standing: Standing) => void;
}

/** How an elector stands. */
export interface Standing {
  readonly validUntil: number;
  readonly holder: string | undefined;
  readonly epoch: number;
  /** How often a renewal needed to read the lease first. */
  readonly slowPaths: number;
}

/**
 * An elector on this thread. Losing the lease does not end it: it follows and tries again. Throws for times that cannot work.
 * A thread that stalls for longer than the renew deadline loses the lease; `createThreadedElector` does not.
 */
export function createElector(options: LeaseOptions, dependencies: ElectorDependencies): Elector {
  const { transport, clock, random, log = quietLog, fit = () => true, changed = () => {} } = dependencies;
  const timing = leaseTiming(options);
  const rules = { ...timing, identity: options.identity };
  const calls = leaseCalls(transport, options, clock, timing.callMs);
  const term = createTerm(clock);
  let standing: Standing = { validUntil: Number.NEGATIVE_INFINITY, holder: undefined, epoch: 0, slowPaths: 0 };
  /** Why the last request failed, if it did. */
  let trouble: string | undefined;

  const perform = async (effect: ElectionEffect, signal: AbortSignal | undefined): Promise<ElectionInput> => {
    const moment = (): { at: number; wall: number } => ({ at: clock.monotonic(), wall: clock.now() });
    const sentAt = clock.monotonic();
    if (effect.kind === "wait") {
      const spread = (effect.spreadMs * random.bytes(1)[0]!) / 256;
      try {
        await sleep(clock, effect.ms + spread, signal);
      } catch {
        // woken by the stop signal, which the loop looks at next
      }
      return { kind: "woke", ...moment() };
    }
    if (effect.kind === "end") return { kind: "woke", ...moment() };
    if (signal !== undefined && !fit()) return { kind: "failed", sentAt, ...moment() };
    const reply = await (effect.kind === "read" ? calls.read() : calls.write(effect.spec, effect.base));
    const before = trouble;
    trouble = reply.kind === "failed" ? reply.problem : undefined;
    if (reply.kind !== "failed")
      return reply.kind === "wrote" ? { ...reply, sentAt, ...moment() } : { ...reply, ...moment() };
    // It is tried every few seconds: what is known to be wrong is not told each time.
    const level = reply.problem === before ? "debug" : "warn";
    log[level]("Lease request failed", { lease: options.name, request: effect.kind, problem: reply.problem });
    return { kind: "failed", sentAt, ...moment() };
  };

  const publish = (state: ElectionState, readsAgain: boolean): void => {
    const spec = lastSeen(state);
    const before = standing;
    standing = {
      validUntil: validityOf(state),
      holder: spec === undefined ? before.holder : spec.holderIdentity === "" ? undefined : spec.holderIdentity,
      epoch: spec?.leaseTransitions ?? before.epoch,
      slowPaths: before.slowPaths + (readsAgain ? 1 : 0),
    };
    if (Number.isFinite(before.validUntil) && (state.phase === "following" || state.phase === "trying")) {
      log.warn("Lease lost: this process writes nothing until it has it again", { lease: options.name });
    }
    if (before.holder !== standing.holder) {
      log.info("Lease has a new holder", { lease: options.name, holder: standing.holder, epoch: standing.epoch });
    }
    term.update(standing.validUntil);
    changed(standing);
  };

  return {
    async run(signal) {
      let { state, effect }: ElectionStep = beginElection();
      while (effect.kind !== "end") {
        const releasing = state.phase === "releasing";
        const input = await perform(effect, releasing ? undefined : signal);
        ({ state, effect } = step(state, input, rules));
        if (signal.aborted && state.phase !== "releasing" && state.phase !== "stopped") {
          ({ state, effect } = step(state, { kind: "stop", at: clock.monotonic(), wall: clock.now() }, rules));
        }
        publish(state, state.phase === "leading" && effect.kind === "read");
      }
      log.info("Lease given up", { lease: options.name, released: state.phase === "stopped" && state.released });
    },
    whenLeading: (signal) => term.whenLeading(signal),
    check: () => term.check(),
    validUntil: () => standing.validUntil,
    get holder() {
      return standing.holder;
    },
    get epoch() {
      return standing.epoch;
    },
  };
}

function lastSeen(
  state: ElectionState,
): { readonly holderIdentity: string; readonly leaseTransitions: number } | undefined {
  switch (state.phase) {
    case "leading":
      return state.held.spec;
    case "following":
    case "trying":
      return state.seen?.lease.spec;
    case "releasing":
      return state.held?.spec;
    case "stopped":
      return undefined;
  }
}
