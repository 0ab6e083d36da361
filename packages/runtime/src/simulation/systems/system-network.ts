import { TransportError } from "../../transport/transport-error.ts";
import type { Dice } from "../dice.ts";
import type { FaultKind, SystemFaultKind } from "../faults/fault-kind.ts";
import type { FaultPlan } from "../faults/fault-plan.ts";
import type { Ban } from "../faults/timed-faults.ts";
import type { Incarnation } from "../process/incarnation.ts";
import type { Timeline } from "../time/timeline.ts";
import type { Trace } from "../trace/trace.ts";
import type { SystemCall, SystemPort, Trouble } from "./simulated-system.ts";
import type { WatchedSystem } from "./watched-system.ts";

/** A call to a system on its way, as observers of the world are told of it. */
export interface SentSystemCall {
  readonly number: number;
  readonly system: string;
  readonly call: SystemCall;
  readonly life: Incarnation;
}

/** What the ways to systems need of the world. */
export interface SystemSurroundings {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly trace: Trace;
  plan(): FaultPlan;
  /** The number of the next call, and of the next effect: they are counted together with those to the server. */
  nextCall(): number;
  nextEffect(): number;
  crash(life: Incarnation): void;
  ban(life: Incarnation): Ban | undefined;
  onSent(sent: SentSystemCall): void;
  /** The system has answered; these of its resources changed meanwhile. `failed`: it never answered. */
  onDone(sent: SentSystemCall, changed: readonly string[]): void;
  onFault(kind: FaultKind, site: string): void;
  /** Writes whose processes wait for an answer, or died while they did. */
  readonly awaited: Set<SentSystemCall>;
  /** Calls that go wrong, of which their processes have not heard yet, or died before they did. */
  readonly troubled: Set<SentSystemCall>;
}

const TROUBLES: ReadonlyMap<SystemFaultKind, Trouble> = new Map([
  ["system-throttled", "throttled"],
  ["system-error", "error"],
  ["system-late-error", "late-error"],
  ["system-stale", "stale"],
]);
/** How long a client waits before it takes a call for lost. */
const PATIENCE_MS = 30_000;

/** Makes the way from a process to a system, on which everything takes time and anything may go wrong. */
export function connectSystem(around: SystemSurroundings, system: WatchedSystem, life: Incarnation): SystemPort {
  return (request, signal) => {
    if (!life.alive) return new Promise(() => {});
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const call = system.describe(request);
    const sent: SentSystemCall = { number: around.nextCall(), system: system.name, call, life };
    const effect = call.writes ? around.nextEffect() : 0;
    const ban = around.ban(life);
    const fault = ban === "cut-off" ? lostIn(around.dice) : around.plan().system(call, effect);
    const why = ban === "cut-off" ? " (cut off)" : fault === undefined ? "" : ` (${fault})`;
    const denied = ban === "denied" || (ban === "blind" && !call.writes);
    const what = `> ${sent.number} ${system.name} ${call.site}${call.about === undefined ? "" : ` ${call.about}`}`;
    around.trace.tell(life.identity, `${what}${why}${denied ? " (denied)" : ""}`);
    around.onSent(sent);
    if (fault !== undefined && ban !== "cut-off") around.onFault(fault, `${system.name} ${call.site}`);
    return new SystemExchange(around, system, sent, request, signal, fault, denied).run();
  };
}

function lostIn(dice: Dice): SystemFaultKind {
  return dice.chance(0.5) ? "refuse" : "timeout-before";
}

/** One call and what becomes of it. */
class SystemExchange {
  readonly #around: SystemSurroundings;
  readonly #system: WatchedSystem;
  readonly #sent: SentSystemCall;
  readonly #request: unknown;
  readonly #signal: AbortSignal;
  readonly #fault: SystemFaultKind | undefined;
  readonly #trouble: Trouble | undefined;
  readonly #settled = Promise.withResolvers<unknown>();
  #open = true;

  constructor(
    around: SystemSurroundings,
    system: WatchedSystem,
    sent: SentSystemCall,
    request: unknown,
    signal: AbortSignal,
    fault: SystemFaultKind | undefined,
    denied: boolean,
  ) {
    this.#around = around;
    this.#system = system;
    this.#sent = sent;
    this.#request = request;
    this.#signal = signal;
    this.#fault = fault;
    this.#trouble = denied ? "denied" : fault === undefined ? undefined : TROUBLES.get(fault);
  }

  run(): Promise<unknown> {
    this.#signal.addEventListener("abort", this.#abandon, { once: true });
    if (this.#sent.call.writes) this.#around.awaited.add(this.#sent);
    if (this.#fault !== undefined || this.#trouble !== undefined) this.#around.troubled.add(this.#sent);
    switch (this.#fault) {
      case "crash-before":
        this.#around.crash(this.#sent.life);
        break;
      case "refuse":
        this.#fail(this.#latency(), new TransportError("refused", "connection refused"));
        break;
      case "timeout-before":
        this.#fail(PATIENCE_MS, new TransportError("timeout", "no answer in time"));
        break;
      default:
        this.#around.timeline.timer(this.#latency(), () => void this.#arrive());
    }
    return this.#settled.promise;
  }

  /** Tens of milliseconds: other systems are farther away than the server. Seconds when the way is slow. */
  #latency(): number {
    const { dice } = this.#around;
    return this.#fault === "slow" ? dice.between(500, 12_000) : dice.between(5, 60);
  }

  async #arrive(): Promise<void> {
    const { answer, changed } = await this.#system.answer(this.#request, this.#trouble);
    this.#around.onDone(this.#sent, changed);
    switch (this.#fault) {
      case "crash-after":
        this.#around.trace.tell(this.#system.name, `did ${this.#sent.number}`);
        return this.#around.crash(this.#sent.life);
      case "lost-reply":
        return this.#fail(this.#latency(), new TransportError("cut", "the connection was cut"));
      case "timeout-after":
        return this.#fail(PATIENCE_MS, new TransportError("timeout", "no answer in time"));
      default:
        if (answer instanceof TransportError) return this.#fail(this.#latency(), answer);
        return this.#reply(answer);
    }
  }

  #reply(answer: unknown): void {
    const { shown, content } = this.#system.summary(answer);
    this.#settle(this.#latency(), () => {
      this.#around.trace.tell(this.#sent.life.identity, `< ${this.#sent.number} ${shown}`, content);
      this.#settled.resolve(answer);
    });
  }

  #fail(ms: number, error: TransportError): void {
    this.#settle(ms, () => {
      this.#around.trace.tell(this.#sent.life.identity, `< ${this.#sent.number} ${error.code}`);
      this.#settled.reject(error);
    });
  }

  #settle(ms: number, settle: () => void): void {
    this.#around.timeline.timer(ms, () =>
      this.#sent.life.deliver(() => {
        if (!this.#open) return;
        this.#close();
        settle();
      }),
    );
  }

  /** The caller gave up. What it sent goes its way all the same. */
  readonly #abandon = (): void => {
    if (!this.#open || !this.#sent.life.alive) return;
    this.#close();
    this.#settled.reject(this.#signal.reason);
  };

  #close(): void {
    this.#open = false;
    this.#around.awaited.delete(this.#sent);
    this.#around.troubled.delete(this.#sent);
    this.#signal.removeEventListener("abort", this.#abandon);
  }
}
