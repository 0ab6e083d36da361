import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { dice as diceOf } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { Coverage } from "./coverage.ts";
import { noFaults } from "./faults/fault-plan.ts";
import type { FaultPlan } from "./faults/fault-plan.ts";
import { TimedFaults } from "./faults/timed-faults.ts";
import type { History, WorldState } from "./history.ts";
import { createNetwork } from "./network/network.ts";
import type { SentCall } from "./network/network.ts";
import type { Incarnation } from "./process/incarnation.ts";
import { ProcessSlot } from "./process/process-slot.ts";
import { Recorder } from "./recorder.ts";
import type { Scenario, Step } from "./scenario.ts";
import { takeActions } from "./actors.ts";
import { Timeline } from "./time/timeline.ts";
import { Trace } from "./trace/trace.ts";
import { catchUncaught } from "./uncaught.ts";
import { refOfObject, takeStep } from "./user.ts";
import { worldObjects, worldState } from "./world-state.ts";

export interface WorldOptions {
  readonly scenario: Scenario;
  readonly seed: number;
  /** What goes wrong, drawn from dice of its own. */
  readonly plan: (dice: Dice, world: { readonly durationMs: number; readonly processes: number }) => FaultPlan;
  /** The state that the world must come to. Undefined for the run that finds it out: it waits until nothing changes any more. */
  readonly target?: WorldState;
  /** How long the world is watched for needless writes. */
  readonly idleMs: number;
}

export interface WorldRun {
  readonly history: History;
  readonly trace: Trace;
  readonly coverage: Coverage;
  readonly plan: FaultPlan;
  readonly moments: number;
}

const AFTER_LAST_STEP_MS = 20_000;
const CONVERGE_MS = 30 * 60_000;
/** How long nothing may change before the world counts as quiet, in a run without a target. */
const QUIET_MS = 60_000;
/** Between being as it should and being watched for needless writes: so long nobody must have written anything. */
const SETTLE_MS = 30_000;
/** How long that may take, from when all was as it should be. */
const SETTLED_MS = 30 * 60_000;
const STOP_MS = 60_000;
const TEARDOWN_MS = 10 * 60_000;
const USER_RETRY_MS = 500;
const STEP_SPREAD_MS = 3_000;

/** Half a minute, doubled by jitter at the worst, and some time to list. */
const LONGEST_BACKOFF_MS = 70_000;

/** Runs a scenario: with faults, then without until all is as it should be, then idle, then everything deleted, then stopped. */
export async function runWorld(options: WorldOptions): Promise<WorldRun> {
  const world = await World.create(options);
  const uncaught = catchUncaught((what) => world.mishap(what));
  try {
    return await world.run();
  } finally {
    uncaught.release();
    await world.close();
  }
}

class World {
  readonly #options: WorldOptions;
  readonly #server: ApiServer;
  readonly #timeline: Timeline;
  readonly #dice: Dice;
  readonly #trace: Trace;
  readonly #recorder: Recorder;
  readonly #coverage = new Coverage();
  readonly #plan: FaultPlan;
  readonly #slots: readonly ProcessSlot[];
  readonly #timed: TimedFaults;
  readonly #deaf = new Set<number>();
  readonly #awaited = new Set<SentCall>();
  #phase: "faults" | "calm" | "end" = "faults";
  /** The server's revision before the first step: what is older is not judged. */
  #start = 0;
  #stepsLeft = 0;

  static async create(options: WorldOptions): Promise<World> {
    const { scenario, seed } = options;
    const dice = diceOf(seed, scenario.name);
    const timeline = new Timeline(dice.fork("time"));
    // The server's identity is part of no trace; keys are costly to make.
    const server = await createApiServer({ clock: timeline, random: dice.fork("server").random });
    return new World(options, server, timeline, dice);
  }

  private constructor(options: WorldOptions, server: ApiServer, timeline: Timeline, dice: Dice) {
    const { scenario } = options;
    this.#options = options;
    this.#server = server;
    this.#timeline = timeline;
    this.#dice = dice;
    const now = (): number => timeline.monotonic();
    this.#trace = new Trace(now);
    this.#recorder = new Recorder(now, scenario);
    this.#plan = options.plan(dice.fork("faults"), {
      durationMs: this.#faultsMs(),
      processes: scenario.processes.length,
    });
    this.#timed = new TimedFaults({
      timeline,
      dice: dice.fork("timed"),
      trace: this.#trace,
      revision: () => server.cluster.store.revision,
      onFault: (kind) => this.#coverage.hit(kind, "process"),
    });
    const connect = createNetwork({
      server,
      timeline,
      dice: dice.fork("network"),
      trace: this.#trace,
      plan: () => (this.#phase === "faults" ? this.#plan : noFaults),
      crash: (life) => this.#slots.find((slot) => slot.life === life)?.kill(),
      cutOff: (life, call) => this.#timed.cutOff(life.name, call),
      replica: () => this.#timed.replica(),
      onSent: (sent) => {
        this.#recorder.sent(sent);
        this.#timed.sent(sent.life.name, sent.call);
      },
      onDone: (sent, answer) => this.#recorder.done(sent, answer),
      onHeard: (sent, answer) => this.#recorder.heard(sent, answer),
      onFault: (kind, site) => this.#coverage.hit(kind, site),
      deaf: this.#deaf,
      awaited: this.#awaited,
    });
    this.#slots = scenario.processes.map(({ name, program }) => {
      const skewed = this.#plan.timed.some(({ kind }) => kind === "clock-jump");
      return new ProcessSlot(
        name,
        program,
        {
          clock: timeline,
          dice: dice.fork("process"),
          trace: this.#trace,
          connect,
          probe: (life: Incarnation) => this.#recorder.probe(life),
          mishap: (what) => this.mishap(what),
          onGone: (slot) => this.#startAgain(slot),
        },
        { offsetMs: skewed ? dice.between(-3_600_000, 3_600_000) : 0, rate: skewed ? dice.between(0.9, 1.1) : 1 },
      );
    });
  }

  mishap(what: string): void {
    this.#trace.tell("world", `mishap: ${what}`);
    this.#recorder.mishap(what);
  }

  async run(): Promise<WorldRun> {
    const { history } = this.#recorder;
    await this.#prepare();
    await this.#timeline.run(this.#faultsMs());
    this.#calm();
    history.calmAt = this.#now();
    history.convergedAt = (await this.#converge()) ? this.#now() : undefined;
    if (history.convergedAt !== undefined) await this.#watchIdle();
    history.endState = this.#state();
    if (history.convergedAt !== undefined) history.leftovers = await this.#tearDown();
    history.stopped = await this.#stop();
    const { fired: moments } = this.#timeline;
    return { history, trace: this.#trace, coverage: this.#coverage, plan: this.#plan, moments };
  }

  async close(): Promise<void> {
    this.#phase = "end";
    for (const slot of this.#slots) slot.kill();
    await this.#server.close();
  }

  async #prepare(): Promise<void> {
    const { scenario } = this.#options;
    for (const object of scenario.before) {
      await takeStep(this.#server, { at: 0, create: object });
      await this.#timeline.run(this.#now());
      await this.#server.idle();
    }
    this.#start = this.#server.cluster.store.revision;
    this.#recorder.follow(this.#server);
    this.#trace.tell("world", `faults: ${this.#plan.about}`);
    const law = scenario.law?.();
    this.#recorder.onChange((table, type, object) => {
      const wrong = law?.(table, type, object);
      if (wrong !== undefined) this.mishap(wrong);
    });
    for (const actor of scenario.actors ?? []) takeActions(actor, this.#server, this.#timeline, this.#recorder);
    this.#takeSteps(scenario.steps, this.#dice.between(0.8, 1.2));
    for (const slot of this.#slots) this.#timeline.timer(this.#dice.between(0, 50), () => slot.start());
    for (const fault of this.#plan.timed) {
      const slot = this.#slots[fault.process];
      if (slot !== undefined)
        this.#timeline.timer(fault.at, () => this.#phase === "faults" && this.#timed.begin(fault, slot));
    }
  }

  /** Does the steps in their order, one after the other, each at about its time, or when the one before is done. */
  #takeSteps(steps: readonly Step[], pace: number): void {
    const [step, ...rest] = steps;
    this.#stepsLeft = steps.length;
    if (step === undefined) return;
    const attempt = async (): Promise<void> => {
      if (await takeStep(this.#server, step)) this.#takeSteps(rest, pace);
      else this.#timeline.timer(USER_RETRY_MS, () => void attempt());
    };
    this.#timeline.timer((step.at + this.#dice.between(0, STEP_SPREAD_MS)) * pace - this.#now(), () => {
      this.#trace.tell("user", JSON.stringify(step));
      void attempt();
    });
  }

  /** Faults end: everything is up and connected, as far as processes find out by themselves. */
  #calm(): void {
    this.#phase = "calm";
    this.#trace.tell("world", "faults end");
    this.#timed.end();
    for (const slot of this.#slots) this.#timeline.timer(this.#dice.between(0, 1_000), () => slot.start());
  }

  #startAgain(slot: ProcessSlot): void {
    if (this.#phase === "end") return;
    const wait = this.#phase === "faults" ? this.#dice.between(100, 15_000) : 1_000;
    this.#timeline.timer(wait, () => this.#phase !== "end" && slot.start());
  }

  async #converge(): Promise<boolean> {
    const { target, scenario } = this.#options;
    const end = this.#now() + (scenario.convergeMs ?? CONVERGE_MS);
    const { changes } = this.#recorder.history;
    if (target === undefined) {
      for (let seen = -1; seen !== changes.length || this.#stepsLeft > 0;) {
        seen = changes.length;
        await this.#timeline.run(this.#now() + QUIET_MS);
        if (this.#now() > end) return false;
      }
      return true;
    }
    let seen = -1;
    return this.#timeline.run(end, () => {
      if (seen === changes.length || this.#stepsLeft > 0) return false;
      seen = changes.length;
      return worldObjects(this.#server, this.#start).length === target.size && sameState(this.#state(), target);
    });
  }

  /**
   * Watches for needless writes, once what was under way has ended: who still believes in a watch that died, or waits for the answer
   * to a write, has something to find out first.
   */
  async #watchIdle(): Promise<void> {
    const { history } = this.#recorder;
    const giveUpAt = this.#now() + SETTLED_MS;
    const waits = (): boolean => [...this.#awaited].some(({ call, life }) => life.alive && !call.lease);
    for (let busy = true; busy;) {
      const [sent, waited] = [history.effects.length, waits()];
      await this.#timeline.run(this.#now() + SETTLE_MS);
      busy = sent !== history.effects.length || this.#deaf.size > 0 || waited || waits();
      if (this.#now() < giveUpAt) continue;
      if (this.#deaf.size > 0) this.mishap("a watch that had died was not noticed within half an hour");
      break;
    }
    const from = this.#now();
    await this.#timeline.run(from + this.#options.idleMs);
    history.idle = { from, to: this.#now() };
    history.cacheFaults = await this.#cacheFaults();
  }

  /** Where caches are wrong though nothing happens, once those that wait before they try again have had their time. */
  async #cacheFaults(): Promise<readonly string[]> {
    const { caches } = this.#recorder;
    const giveUpAt = this.#now() + LONGEST_BACKOFF_MS;
    for (;;) {
      const faults = caches.compare(this.#server);
      if (faults.length === 0 || this.#now() >= giveUpAt) return faults;
      await this.#timeline.run(this.#now() + SETTLE_MS);
    }
  }

  /** Deletes all that the user made; what is left of it and around it after a while has leaked. */
  async #tearDown(): Promise<readonly string[]> {
    const made = this.#options.scenario.steps.flatMap((step) => ("create" in step ? [step.create] : []));
    this.#trace.tell("user", "deletes everything");
    for (const object of made) await takeStep(this.#server, { at: 0, delete: refOfObject(this.#server, object) });
    let left: readonly string[] = ["?"];
    const { changes } = this.#recorder.history;
    let seen = -1;
    await this.#timeline.run(this.#now() + TEARDOWN_MS, () => {
      if (seen !== changes.length) left = worldObjects(this.#server, this.#start);
      seen = changes.length;
      return left.length === 0;
    });
    return left;
  }

  async #stop(): Promise<boolean> {
    this.#phase = "end";
    for (const slot of this.#slots) slot.stop();
    const gone = (): boolean => this.#slots.every(({ life }) => life === undefined);
    return this.#timeline.run(this.#now() + STOP_MS, gone);
  }

  #state(): WorldState {
    return worldState(this.#server, this.#start, this.#options.scenario.judgesOwnership ?? true);
  }

  #faultsMs(): number {
    const { scenario } = this.#options;
    return scenario.faultsMs ?? Math.max(0, ...scenario.steps.map(({ at }) => at * 1.2)) + AFTER_LAST_STEP_MS;
  }

  #now(): number {
    return this.#timeline.monotonic();
  }
}

function sameState(a: WorldState, b: WorldState): boolean {
  if (a.size !== b.size) return false;
  for (const [name, object] of a) if (b.get(name) !== object) return false;
  return true;
}
