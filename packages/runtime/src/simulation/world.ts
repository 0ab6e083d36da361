import { createApiServer, createMemoryStore } from "@gatewright/apiserver";
import type { ApiServer, StoreImage } from "@gatewright/apiserver";
import { Beginning } from "./beginning.ts";
import { dice as diceOf } from "./dice.ts";
import type { Dice } from "./dice.ts";
import { Connections } from "./connections.ts";
import { Coverage } from "./coverage.ts";
import { noFaults } from "./faults/fault-plan.ts";
import type { FaultPlan } from "./faults/fault-plan.ts";
import { TimedFaults } from "./faults/timed-faults.ts";
import type { History, WorldState } from "./history.ts";
import type { Incarnation } from "./process/incarnation.ts";
import { ProcessSlot } from "./process/process-slot.ts";
import { Recorder } from "./recorder.ts";
import type { Laws, Scenario, Step } from "./scenario.ts";
import { takeActions } from "./actors.ts";
import type { FaultGround } from "./faults/swarm.ts";
import { Systems } from "./systems/systems.ts";
import type { SystemChange, WatchedSystem } from "./systems/watched-system.ts";
import { Timeline } from "./time/timeline.ts";
import { Trace } from "./trace/trace.ts";
import { catchUncaught } from "./uncaught.ts";
import { refOfObject, takeStep } from "./user.ts";
import { NormalForms, worldObjects, worldState } from "./world-state.ts";

export interface WorldOptions {
  /** With all its steps. */
  readonly scenario: Scenario;
  /** The parts that these steps are of, for the trace. */
  readonly parts?: readonly string[] | undefined;
  readonly seed: number;
  /** What the server holds before anything starts. */
  readonly ground: StoreImage;
  /** What goes wrong, drawn from dice of its own. */
  readonly plan: (dice: Dice, world: FaultGround) => FaultPlan;
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
/** Who hears that something went wrong has told of it after so long. */
const TOLD_MS = 1_000;
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
  readonly #connections: Connections;
  readonly #systems: Systems;
  /** What laws have said already: a state that is wrong stays so for a while. */
  readonly #wrongs = new Set<string>();
  readonly #forms = new NormalForms();
  #phase: "faults" | "calm" | "end" = "faults";
  readonly #beginning: Beginning;
  #stepsLeft = 0;
  #laws: Laws = {};

  static async create(options: WorldOptions): Promise<World> {
    const { scenario, seed } = options;
    const dice = diceOf(seed, scenario.name);
    /** The parts of it that others ask for before they are there. */
    const made: { world?: World; systems?: Systems } = {};
    const timeline = new Timeline(dice.fork("time"), () => made.systems?.busy ?? false);
    // The server's identity is part of no trace; keys are costly to make.
    const store = createMemoryStore({ clock: timeline, image: options.ground });
    const server = await createApiServer({ clock: timeline, random: dice.fork("server").random, store });
    await server.idle();
    made.systems = await Systems.open(
      scenario.systems ?? [],
      (name) => ({
        clock: timeline,
        random: dice.fork(`system ${name}`).random,
        mishap: (what) => made.world?.mishap(`${name}: ${what}`),
      }),
      (system, changes) => made.world?.systemChanged(system, changes),
    );
    made.world = new World(options, server, made.systems, timeline, dice);
    return made.world;
  }

  private constructor(options: WorldOptions, server: ApiServer, systems: Systems, timeline: Timeline, dice: Dice) {
    const { scenario } = options;
    this.#systems = systems;
    this.#beginning = new Beginning(server);
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
      systems: (scenario.systems ?? []).length > 0,
    });
    this.#timed = new TimedFaults({
      timeline,
      dice: dice.fork("timed"),
      trace: this.#trace,
      systems: (scenario.systems ?? []).length > 0,
      revision: () => server.cluster.store.revision,
      onFault: (kind) => this.#coverage.hit(kind, "process"),
    });
    this.#connections = new Connections({
      server,
      systems,
      timeline,
      dice,
      trace: this.#trace,
      recorder: this.#recorder,
      coverage: this.#coverage,
      timed: this.#timed,
      plan: () => (this.#faulty ? this.#plan : noFaults),
      crash: (life) => this.#slots.find((slot) => slot.life === life)?.kill(),
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
          connect: this.#connections.toServer,
          system: (life, name) => this.#connections.toSystem(life, name),
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

  systemChanged(system: WatchedSystem, changes: readonly SystemChange[]): void {
    const { name, resources } = system;
    for (const { type, resource } of changes) this.#trace.tell(name, `${type} ${resource}`);
    this.#recorder.systemChanged(name, changes);
    this.#isWrong(this.#laws.systems?.(name, resources));
  }

  /** Tells what a law says, once. */
  #isWrong(wrong: string | undefined): void {
    if (wrong === undefined || this.#wrongs.has(wrong)) return;
    this.#wrongs.add(wrong);
    this.mishap(wrong);
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
    const { scenario, parts } = this.#options;
    this.#recorder.follow(this.#server);
    if (parts !== undefined) this.#trace.tell("world", `parts: ${parts.join(" ")}`);
    this.#trace.tell("world", `faults: ${this.#plan.about}`);
    const law = scenario.law?.();
    this.#laws = typeof law === "function" ? { objects: law } : (law ?? {});
    this.#recorder.onChange((table, type, object) => this.#isWrong(this.#laws.objects?.(table, type, object)));
    for (const actor of scenario.actors ?? []) {
      const random = this.#dice.fork(`actor ${actor.name}`).random;
      const world = { server: this.#server, systems: this.#systems, timeline: this.#timeline, random };
      takeActions(actor, world, this.#recorder);
    }
    this.#takeSteps(scenario.steps, this.#dice.between(0.8, 1.2));
    for (const slot of this.#slots) this.#timeline.timer(this.#dice.between(0, 50), () => slot.start());
    for (const fault of this.#plan.timed) {
      const slot = this.#slots[fault.process];
      if (slot !== undefined) this.#timeline.timer(fault.at, () => this.#faulty && this.#timed.begin(fault, slot));
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
        await this.#timeline.run(this.#now() + (scenario.quietMs ?? QUIET_MS));
        if (this.#now() > end) return false;
      }
      return true;
    }
    let [seen, notBefore] = [-1, 0];
    return this.#timeline.run(end, () => {
      // An error from before may still be on its way to somebody, who will tell of it.
      if (this.#connections.troubled) notBefore = this.#now() + TOLD_MS;
      if (seen === changes.length || this.#stepsLeft > 0 || this.#now() < notBefore) return false;
      seen = changes.length;
      const size = worldObjects(this.#server, this.#beginning).length + this.#systems.size;
      return (size === target.size || scenario.unjudged !== undefined) && sameState(this.#state(), target);
    });
  }

  /**
   * Watches for needless writes, once what was under way has ended: who still believes in a watch that died, waits before it follows
   * a kind or tries a run again, or waits for the answer to a write, has something to find out first.
   */
  async #watchIdle(): Promise<void> {
    const { history } = this.#recorder;
    const giveUpAt = this.#now() + SETTLED_MS;
    const connections = this.#connections;
    const waits = (): boolean => connections.awaited || connections.deaf || this.#recorder.owing;
    for (let busy = true; busy;) {
      const [sent, waited] = [history.effects.length, waits()];
      await this.#timeline.run(this.#now() + SETTLE_MS);
      busy = sent !== history.effects.length || waited || waits();
      if (this.#now() < giveUpAt) continue;
      if (connections.deaf) this.mishap("a watch that had died was not noticed within half an hour");
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
    const { scenario } = this.#options;
    const made = scenario.steps.flatMap((step) => ("create" in step ? [step.create] : []));
    this.#trace.tell("user", "deletes everything");
    for (const object of made) await takeStep(this.#server, { at: 0, delete: refOfObject(this.#server, object) });
    let left: readonly string[] = ["?"];
    const { changes } = this.#recorder.history;
    let seen = -1;
    await this.#timeline.run(this.#now() + (scenario.teardownMs ?? TEARDOWN_MS), () => {
      if (seen !== changes.length) {
        const all = [...this.#beginning.leftovers(), ...this.#systems.leftovers()];
        left = all.filter((name) => scenario.stays?.test(name) !== true);
      }
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
    const { judgesOwnership: withOwnership = true, drawn = [], incidental = [], unjudged } = this.#options.scenario;
    const scope = { beginning: this.#beginning, withOwnership, drawn: new Set(drawn), incidental: new Set(incidental) };
    const state = worldState(this.#server, this.#systems, scope, this.#forms);
    return unjudged === undefined ? state : new Map([...state].filter(([name]) => !unjudged.test(name)));
  }

  #faultsMs(): number {
    const { scenario } = this.#options;
    return scenario.faultsMs ?? Math.max(0, ...scenario.steps.map(({ at }) => at * 1.2)) + AFTER_LAST_STEP_MS;
  }

  get #faulty(): boolean {
    return this.#phase === "faults" && this.#now() >= (this.#options.scenario.calmMs ?? 0);
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
