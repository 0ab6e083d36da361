import { Worker } from "node:worker_threads";
import { linkSignals, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Exposition, Log } from "@gatewright/telemetry";
import type { Finding, GivenObject } from "../configuration/objects.ts";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";
import type { ObjectName } from "../configuration/target.ts";
import type { ListenerError } from "../listeners/listener-error.ts";
import type { WatchedGateway } from "../run/watched-gateway.ts";
import { addedMetrics } from "./added-metrics.ts";
import { numbersOf } from "./worker-messages.ts";
import type { WorkerNumbers, WorkerStart } from "./worker-messages.ts";
import { WorkerSeat } from "./worker-seat.ts";
import type { WorkerState } from "./worker-seat.ts";

/** What a fleet is made with. */
export interface FleetParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly write: (lines: string) => void;
  /** How many serve, the main thread included. */
  readonly workers: number;
  readonly stickySecret: string;
  readonly env: WorkerStart["env"];
  readonly configured: () => boolean;
  /** Starts a thread. Default: of this package's sources. */
  readonly spawn?: (start: WorkerStart) => Worker;
}

/** How long after their time threads may still be there. */
const LATE_MS = 1000;

/**
 * All who serve: the gateway of the main thread, and threads with one each that share its ports. What is told to the fleet is live in
 * the main thread at once, and everywhere when `everywhere` resolves. A thread that ends is replaced; the others go on.
 */
export class Fleet {
  readonly #first: WatchedGateway;
  readonly #parts: FleetParts;
  readonly #seats: readonly WorkerSeat[];
  readonly #ending = new AbortController();
  #settings: GatewaySettings;
  #running: Promise<unknown> = Promise.resolve();

  constructor(first: WatchedGateway, settings: GatewaySettings, parts: FleetParts) {
    this.#first = first;
    this.#settings = settings;
    this.#parts = parts;
    const { clock, log, write } = parts;
    const seat = { clock, log, write, spawn: () => this.#spawn() };
    this.#seats = Array.from({ length: parts.workers - 1 }, (_, at) => new WorkerSeat(at + 2, seat));
  }

  /** Starts the threads. Resolves when each listens, or could not: then it is tried again. */
  async start(): Promise<void> {
    const starting = this.#seats.map((seat) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      return { promise, running: seat.run(this.#ending.signal, resolve) };
    });
    this.#running = Promise.all(starting.map(({ running }) => running));
    await Promise.all(starting.map(({ promise }) => promise));
  }

  change(set: readonly GivenObject[], removed: readonly ObjectName[]): readonly Finding[] {
    const findings = this.#first.gateway.change(set, removed);
    if (set.length > 0 || removed.length > 0)
      for (const seat of this.#seats) seat.tell({ type: "change", set, removed });
    return findings;
  }

  /** Listens as these settings say, here and in all threads. What cannot be listened on here is returned. */
  async listen(settings: GatewaySettings, signal: AbortSignal): Promise<readonly ListenerError[]> {
    const failures = await this.#first.gateway.listen(settings, signal);
    this.#settings = settings;
    const told = this.#boundSettings();
    for (const seat of this.#seats) seat.tell({ type: "settings", settings: told });
    return failures;
  }

  /** The first whole configuration has come. */
  configured(): void {
    for (const seat of this.#seats) seat.say({ type: "configured" });
  }

  /** Resolves when what was told so far is live everywhere. */
  async everywhere(): Promise<void> {
    await Promise.all(this.#seats.map((seat) => seat.settled()));
  }

  /** How all of them go, together. */
  numbers(): WorkerNumbers {
    const all = [numbersOf(this.#first), ...this.#seats.map(({ state }) => state.numbers)];
    const sum = (of: (one: WorkerNumbers) => number): number => all.reduce((total, one) => total + of(one), 0);
    const requestsPerSecond = sum((one) => one.requestsPerSecond);
    const failed = sum((one) => one.requestsPerSecond * one.errorRate);
    return {
      connections: sum(({ connections }) => connections),
      activeRequests: sum(({ activeRequests }) => activeRequests),
      requestsPerSecond,
      errorRate: requestsPerSecond === 0 ? 0 : failed / requestsPerSecond,
    };
  }

  /** The threads beside the main one. */
  workers(): readonly WorkerState[] {
    return this.#seats.map(({ state }) => state);
  }

  /** Everybody's metrics, added up. Those of several are in the Prometheus text format, whatever is preferred. */
  async exposition(accept: string | undefined): Promise<Exposition> {
    const { metrics } = this.#first;
    if (this.#seats.length === 0) return metrics.exposition(accept);
    const scrapes = await Promise.all(this.#seats.map((seat) => seat.scrape()));
    const now = scrapes.map((scrape, at) => scrape ?? this.#seats[at]?.lastScrape ?? "");
    const { body, contentType } = metrics.exposition();
    const past = this.#seats.map((seat) => seat.past);
    return { body: addedMetrics([body, ...now], past), contentType };
  }

  /** Lets all finish what is under way for so long, then ends them. */
  async close(graceMs: number, signal: AbortSignal): Promise<void> {
    this.#ending.abort();
    for (const seat of this.#seats) seat.say({ type: "close", graceMs });
    await this.#first.gateway.close(graceMs, signal);
    const done = new AbortController();
    using either = linkSignals([signal, done.signal]);
    const late = sleep(this.#parts.clock, graceMs + LATE_MS, either.signal).catch(() => {}); // ended, or aborted
    await Promise.race([this.#running, late]);
    done.abort();
    await Promise.all(this.#seats.map((seat) => seat.kill()));
    await this.#running;
  }

  #spawn(): Worker {
    const { workers, stickySecret, env, configured, spawn = spawnThread } = this.#parts;
    const objects = this.#first.gateway.good();
    const settings = this.#boundSettings();
    return spawn({ settings, objects, isConfigured: configured(), workers, stickySecret, env: { ...env } });
  }

  /** With the ports that the main thread has, where the settings leave the choice. */
  #boundSettings(): GatewaySettings {
    const ports = new Map(this.#first.gateway.bound.map(({ name, port }) => [name, port]));
    const listeners = this.#settings.listeners.map((one) => ({ ...one, port: ports.get(one.name) ?? one.port }));
    return { ...this.#settings, listeners };
  }
}

function spawnThread(start: WorkerStart): Worker {
  return new Worker(new URL("./worker-main.ts", import.meta.url), { workerData: start, execArgv: [] });
}
