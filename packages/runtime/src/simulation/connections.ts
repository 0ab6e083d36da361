import type { ApiServer } from "@gatewright/apiserver";
import type { Transport } from "../transport/transport.ts";
import type { Coverage } from "./coverage.ts";
import type { Dice } from "./dice.ts";
import type { FaultKind } from "./faults/fault-kind.ts";
import type { FaultPlan } from "./faults/fault-plan.ts";
import type { TimedFaults } from "./faults/timed-faults.ts";
import { createNetwork } from "./network/network.ts";
import type { SentCall } from "./network/network.ts";
import type { Incarnation } from "./process/incarnation.ts";
import type { Recorder } from "./recorder.ts";
import type { SystemPort } from "./systems/simulated-system.ts";
import { connectSystem } from "./systems/system-network.ts";
import type { SentSystemCall, SystemSurroundings } from "./systems/system-network.ts";
import type { Systems } from "./systems/systems.ts";
import type { Timeline } from "./time/timeline.ts";
import type { Trace } from "./trace/trace.ts";

/** What the ways of a world lead through. */
export interface ConnectionGround {
  readonly server: ApiServer;
  readonly systems: Systems;
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly recorder: Recorder;
  readonly coverage: Coverage;
  readonly timed: TimedFaults;
  /** What goes wrong now. */
  readonly plan: () => FaultPlan;
  readonly crash: (life: Incarnation) => void;
}

/** The ways from processes to the server and to the systems, and what is still on them. */
export class Connections {
  /** The way of a process to the server. */
  readonly toServer: (life: Incarnation) => Transport;
  readonly #systems: Systems;
  readonly #toSystems: SystemSurroundings;
  readonly #deaf = new Set<number>();
  readonly #awaited = new Set<SentCall>();
  readonly #awaitedOfSystems = new Set<SentSystemCall>();
  readonly #troubled = new Set<SentSystemCall>();

  constructor(ground: ConnectionGround) {
    const { server, dice, trace, timeline, recorder, timed, plan, crash } = ground;
    let [calls, effects] = [0, 0];
    const ways = {
      timeline,
      trace,
      plan,
      crash,
      nextCall: () => ++calls,
      nextEffect: () => ++effects,
      onFault: (kind: FaultKind, site: string) => ground.coverage.hit(kind, site),
    };
    this.#systems = ground.systems;
    this.#toSystems = {
      ...ways,
      dice: dice.fork("systems"),
      ban: (life) => timed.ban(life.name),
      onSent(sent) {
        recorder.sentToSystem(sent);
        timed.worked(sent.life.name);
      },
      onDone: (sent, changed) => recorder.doneBySystem(sent, changed, !this.#awaitedOfSystems.has(sent)),
      awaited: this.#awaitedOfSystems,
      troubled: this.#troubled,
    };
    this.toServer = createNetwork({
      ...ways,
      server,
      dice: dice.fork("network"),
      cutOff: (life, call) => timed.cutOff(life.name, call),
      replica: () => timed.replica(),
      onSent(sent) {
        recorder.sent(sent);
        timed.sent(sent.life.name, sent.call);
      },
      onDone: (sent, answer) => recorder.done(sent, answer, !this.#awaited.has(sent)),
      onHeard: (sent, answer) => recorder.heard(sent, answer),
      deaf: this.#deaf,
      awaited: this.#awaited,
    });
  }

  /** The way of a process to a system. */
  toSystem(life: Incarnation, name: string): SystemPort {
    return connectSystem(this.#toSystems, this.#systems.named(name), life);
  }

  /** Whether somebody believes in a watch that has died. */
  get deaf(): boolean {
    return this.#deaf.size > 0;
  }

  /** Whether a process waits for an answer of the server, or for a system to have written something. */
  get awaited(): boolean {
    return (
      [...this.#awaited].some(({ call, life }) => life.alive && !call.lease) ||
      [...this.#awaitedOfSystems].some(({ life }) => life.alive)
    );
  }

  /** Whether a process has yet to hear of a system that something went wrong. */
  get troubled(): boolean {
    return [...this.#troubled].some(({ life }) => life.alive);
  }
}
