import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey } from "@gatewright/kube";
import { sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { ResourceClient, StreamOptions, WatchOptions } from "../client/client.ts";
import type { Log } from "@gatewright/telemetry";
import type { CacheScope } from "./informer.ts";
import { faultOf } from "./reflector-fault.ts";
import { allowedSilenceMs, beginReflecting, listVersion } from "./reflector-state.ts";
import type { ObjectEvent, ReflectorEffect, ReflectorInput, ReflectorState } from "./reflector-state.ts";
import { stepReflector } from "./reflector-step.ts";
import { randomFraction } from "./random-fraction.ts";

/** Who takes what a reflector brings. Called at once and in order; must not throw. */
export interface ReflectorSink<T extends ApiObject> {
  /** A whole list, at a version. See {@link ReflectorEffect}. */
  replace(objects: Iterable<Immutable<T>>, resourceVersion: string, anew: boolean): void;
  apply(event: ObjectEvent<T>): void;
  /** An event that repeats what is known, or is out of order. */
  ignore(event: ObjectEvent<T>): void;
  /** What is kept of an object while a list is not whole yet, and given to `replace`. */
  form(object: Immutable<T>): Immutable<T>;
  /** Whether an object is of the kind that was asked for; if not it is dropped. */
  accepts(object: Immutable<T>): boolean;
  /** A list begins, as a stream or not. */
  listing(): void;
  /** The object at a version, if what is kept of it is there already. */
  known(resourceVersion: string): Immutable<T> | undefined;
}

export interface ReflectorOptions<T extends ApiObject> {
  readonly client: ResourceClient<T>;
  readonly scope: CacheScope;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Whether to try lists as streams. */
  readonly watchList: boolean;
}

const MIN_WATCH_SECONDS = 300;
/** How long after its time a watch may go on before it is taken for dead. */
const WATCH_GRACE_MS = 30_000;
const PAGE = 500;

/** Follows a kind on the server and heals by itself: performs what {@link stepReflector} decides. */
export class Reflector<T extends ApiObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #sink: ReflectorSink<T>;
  readonly #collected = new Map<ObjectKey, Immutable<T>>();
  #state: ReflectorState;
  #heardAt: number | undefined;

  constructor(options: ReflectorOptions<T>, sink: ReflectorSink<T>) {
    this.#options = options;
    this.#sink = sink;
    this.#state = beginReflecting(options.watchList);
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** When the server was last heard, on the monotonic clock. */
  get heardAt(): number | undefined {
    return this.#heardAt;
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#take({ type: "stopped", at: this.#now() });
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    while (this.#state.kind !== "stopped") {
      switch (this.#state.kind) {
        case "listing":
          await this.#list(signal);
          break;
        case "streaming":
        case "watching":
          await this.#watch(signal, this.#state.kind === "streaming");
          break;
        case "backingOff":
          await this.#rest(this.#state, signal);
          break;
      }
    }
  }

  async #list(signal: AbortSignal): Promise<void> {
    this.#sink.listing();
    await this.#call(signal, 0, async (inner) => {
      const version = listVersion(this.#state.memory);
      const exact = version !== undefined && version !== "0";
      const options: StreamOptions = {
        ...this.#options.scope,
        signal: inner,
        restart: () => this.#collected.clear(),
        // A page at a version bypasses the server's cache; without one, or at "0", the server itself knows best.
        limit: exact ? 0 : PAGE,
        ...(version !== undefined && { resourceVersion: version }),
        ...(exact && { resourceVersionMatch: "NotOlderThan" }),
      };
      const { resourceVersion } = await this.#options.client.stream(options, (object) => {
        this.#heard();
        if (this.#sink.accepts(object)) this.#collect("ADDED", object);
      });
      this.#heard();
      return { type: "listed", at: this.#now(), resourceVersion };
    });
  }

  async #watch(signal: AbortSignal, asList: boolean): Promise<void> {
    if (asList) this.#sink.listing();
    const { newest, resourceVersion } = this.#state.memory;
    const seconds = Math.round(MIN_WATCH_SECONDS * (1 + randomFraction(this.#options.random)));
    await this.#call(signal, seconds * 1000 + WATCH_GRACE_MS, async (inner) => {
      const options: WatchOptions<T> = {
        ...this.#options.scope,
        signal: inner,
        known: (version) => this.#sink.known(version),
        timeoutSeconds: seconds,
        ...(asList && { sendInitialEvents: true }),
        ...(resourceVersion !== undefined && !(asList && newest) && { resourceVersion }),
      };
      for await (const event of this.#options.client.watch(options)) {
        if (inner.aborted) break;
        this.#heard();
        if (event.type === "BOOKMARK" || this.#sink.accepts(event.object)) {
          this.#take({ type: "event", at: this.#now(), event });
          if (this.#state.kind !== "streaming" && this.#state.kind !== "watching") return undefined;
        }
      }
      return { type: "ended", at: this.#now() };
    });
  }

  async #rest(state: ReflectorState & { kind: "backingOff" }, signal: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#options;
    const ms = Math.max(state.ms * (1 + randomFraction(random)), state.atLeastMs);
    log.warn("Cannot follow a kind; trying again", {
      problem: state.memory.problem,
      next: state.next,
      ms: Math.round(ms),
    });
    try {
      await sleep(clock, ms, signal);
      this.#take({ type: "rested", at: this.#now() });
    } catch {
      // Only the signal wakes a sleeper early, and `run` has taken note of it.
    }
  }

  /** One call to the server, given up when nothing is heard for too long. */
  async #call(
    signal: AbortSignal,
    longestMs: number,
    work: (signal: AbortSignal) => Promise<ReflectorInput<T> | undefined>,
  ): Promise<void> {
    const { clock } = this.#options;
    const controller = new AbortController();
    const follow = (): void => controller.abort(signal.reason);
    signal.addEventListener("abort", follow, { once: true });
    const begun = this.#now();
    let cancel = (): void => {};
    let silent = false;
    const watchOver = (): void => {
      const quiet = this.#now() - Math.max(this.#heardAt ?? begun, begun);
      const allowed = allowedSilenceMs(this.#state);
      const left = allowed === undefined ? longestMs - (this.#now() - begun) : allowed - quiet;
      if (left <= 0) {
        silent = true;
        controller.abort(new Error("the server fell silent"));
      } else {
        cancel = clock.timer(Math.min(left, CHECK_MS), watchOver);
      }
    };
    watchOver();
    let input: ReflectorInput<T> | undefined;
    try {
      input = await work(controller.signal);
    } catch (error) {
      input = { type: "failed", at: this.#now(), fault: faultOf(error) };
    } finally {
      cancel();
      signal.removeEventListener("abort", follow);
    }
    if (silent) input = { type: "silent", at: this.#now() };
    if (input !== undefined) this.#take(input);
  }

  /** The state moves on only after the store has. */
  #take(input: ReflectorInput<T>): void {
    const { state, effects } = stepReflector<T>(this.#state, input);
    for (const effect of effects) this.#perform(effect);
    this.#state = state;
  }

  #perform(effect: ReflectorEffect<T>): void {
    switch (effect.type) {
      case "collect":
        this.#collect(effect.event.type, effect.event.object);
        break;
      case "discard":
        this.#collected.clear();
        break;
      case "replace": {
        const objects = [...this.#collected.values()];
        this.#collected.clear();
        this.#sink.replace(objects, effect.resourceVersion, effect.anew);
        break;
      }
      case "apply":
        this.#sink.apply(effect.event);
        break;
      case "ignore":
        this.#sink.ignore(effect.event);
        break;
    }
  }

  #collect(type: ObjectEvent<T>["type"], object: Immutable<T>): void {
    if (type === "DELETED") this.#collected.delete(keyOf(object));
    else this.#collected.set(keyOf(object), this.#sink.form(object));
  }

  #heard(): void {
    this.#heardAt = this.#now();
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}

/** How often silence is looked for, so that learning of bookmarks takes effect within the same watch. */
const CHECK_MS = 30_000;
