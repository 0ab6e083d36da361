import type { Clock } from "@gatewright/ports";
import type { Log, LogFields } from "@gatewright/telemetry";
import type { Transport } from "../../transport/transport.ts";
import type { Dice } from "../dice.ts";
import type { SystemPort } from "../systems/simulated-system.ts";
import type { Trace } from "../trace/trace.ts";
import { Incarnation } from "./incarnation.ts";
import type { Probe } from "./probe.ts";
import { processClock } from "./process-clock.ts";
import type { ClockSkew } from "./process-clock.ts";
import type { Program } from "./program.ts";

/** What a place for processes needs of the world. */
export interface SlotSurroundings {
  readonly clock: Clock;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly connect: (life: Incarnation) => Transport;
  readonly system: (life: Incarnation, name: string) => SystemPort;
  readonly probe: (life: Incarnation) => Probe;
  mishap(what: string): void;
  /** The process is gone, by death or by its own end. */
  onGone(slot: ProcessSlot): void;
}

/** A place where a program runs, one life after the other. */
export class ProcessSlot {
  readonly name: string;
  readonly #program: Program;
  readonly #around: SlotSurroundings;
  readonly skew: ClockSkew;
  #lives = 0;
  #life: Incarnation | undefined;
  #stop = new AbortController();

  constructor(name: string, program: Program, around: SlotSurroundings, skew: ClockSkew) {
    this.name = name;
    this.#program = program;
    this.#around = around;
    this.skew = skew;
  }

  /** The life that runs now. */
  get life(): Incarnation | undefined {
    return this.#life;
  }

  /** Starts the program anew, if it does not run. */
  start(): void {
    if (this.#life !== undefined) return;
    const life = new Incarnation(this.name, ++this.#lives);
    this.#life = life;
    this.#stop = new AbortController();
    const { clock, dice, trace, connect, system, probe } = this.#around;
    trace.tell(life.identity, "starts");
    const ports = {
      transport: connect(life),
      clock: processClock(clock, life, this.skew),
      random: dice.fork(life.identity).random,
      log: tracingLog(life, trace),
      identity: life.identity,
      system: (name: string) => system(life, name),
      probe: probe(life),
    };
    void this.#run(life, () => this.#program(ports).run(this.#stop.signal));
  }

  /** Asks the program to end in good order. */
  stop(): void {
    if (this.#life === undefined) return;
    this.#around.trace.tell(this.#life.identity, "is asked to stop");
    const { signal } = this.#stop;
    this.#life.deliver(() => !signal.aborted && this.#stop.abort(new Error("the process is asked to stop")));
  }

  kill(): void {
    const life = this.#life;
    if (life === undefined) return;
    this.#around.trace.tell(life.identity, "dies");
    life.kill();
    this.#gone(life);
  }

  async #run(life: Incarnation, run: () => Promise<void>): Promise<void> {
    try {
      await run();
      if (!life.alive) return;
      this.#around.trace.tell(life.identity, "ended");
      if (!this.#stop.signal.aborted) this.#around.mishap(`${life.identity} ended without being asked to`);
    } catch (error) {
      if (!life.alive) return;
      this.#around.mishap(`${life.identity} failed: ${String(error)}`);
    }
    life.kill();
    this.#gone(life);
  }

  #gone(life: Incarnation): void {
    if (this.#life !== life) return;
    this.#life = undefined;
    this.#around.onGone(this);
  }
}

function tracingLog(life: Incarnation, trace: Trace, fixed: LogFields = {}): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      if (life.alive)
        trace.tell(life.identity, `${level}: ${message} ${JSON.stringify({ ...fixed, ...fields }, readable)}`);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => tracingLog(life, trace, { ...fixed, ...fields }),
  };
}

/** Errors as their message: a stack names places of this machine. */
function readable(_: string, value: unknown): unknown {
  return value instanceof Error ? `${value.name}: ${value.message}` : value;
}
