import { aborted, deadline, linkSignals } from "@gatewright/ports";
import type { Parts } from "./assemble.ts";
import { LeaseLostError } from "./lease-lost-error.ts";
import type { ManagerOptions, Runnable } from "./manager.ts";
import { whileLeading } from "./while-leading.ts";
import { within } from "./within.ts";

const GRACE_MS = 30_000;

/** What a lifecycle needs of the parts of a process. */
type LivingParts = Pick<Parts, "clock" | "log" | "cache" | "elector" | "events">;

/** Work that was started, by its name. */
interface Started {
  readonly name: string;
  readonly ended: Promise<void>;
}

/**
 * Starts and ends the work of a process in order.
 *
 * Start: work that is always done, caches, the lease, and what is done while leading. Stop, the other way round: what is done while
 * leading, then events that were recorded are written, then caches and the rest, and the lease last, so that nobody takes over what
 * is still being done here. If work does not end in time the lease is kept until it has, or until the process is gone and the lease
 * expires.
 */
export class Lifecycle {
  readonly #parts: LivingParts;
  readonly #graceMs: number;
  readonly #exitOnLeaseLoss: boolean;
  readonly #always = new AbortController();
  readonly #leading = new AbortController();
  readonly #electing = new AbortController();
  readonly #lost = new AbortController();
  readonly #background = new Set<Started>();
  readonly #led = new Set<Started>();
  #waiting: Runnable[] = [];
  #phase: "new" | "running" | "stopping" = "new";

  constructor(parts: LivingParts, options: Pick<ManagerOptions, "graceMs" | "exitOnLeaseLoss">) {
    this.#parts = parts;
    this.#graceMs = options.graceMs ?? GRACE_MS;
    this.#exitOnLeaseLoss = options.exitOnLeaseLoss ?? false;
  }

  get stopping(): boolean {
    return this.#phase === "stopping";
  }

  /** Starts at once when the process runs already; its `run` must not reject. */
  add(runnable: Runnable): void {
    if (this.#phase === "new") this.#waiting.push(runnable);
    else if (this.#phase === "running") this.#start(runnable);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#phase !== "new") throw new TypeError("a manager runs once: make a new one");
    this.#phase = "running";
    const { cache, elector, log } = this.#parts;
    const [always, leading] = [this.#take("always"), this.#take("leading")];
    for (const runnable of always) this.#start(runnable);
    this.#track(this.#background, "cache", cache.run(this.#always.signal));
    const election = elector?.run(this.#electing.signal) ?? Promise.resolve();
    if (this.#exitOnLeaseLoss) void this.#watchLease();
    for (const runnable of leading) this.#start(runnable);

    // At once, not a few microtasks later: no reconcile starts after the stop.
    using stopped = linkSignals([signal, this.#lost.signal]);
    const stop = stopped.signal;
    const beginStop = (): void => {
      this.#phase = "stopping";
      this.#leading.abort(new DOMException("the process stops", "AbortError"));
    };
    if (stop.aborted) beginStop();
    else stop.addEventListener("abort", beginStop, { once: true });
    await aborted(stop);
    log.info("Stopping", { graceMs: this.#graceMs });
    await this.#stop(election);
    log.info("Stopped");
    if (this.#lost.signal.aborted) throw new LeaseLostError();
  }

  #take(when: Runnable["when"]): readonly Runnable[] {
    const taken = this.#waiting.filter((runnable) => runnable.when === when);
    this.#waiting = this.#waiting.filter((runnable) => runnable.when !== when);
    return taken;
  }

  #start(runnable: Runnable): void {
    const { name, when } = runnable;
    const run = (signal: AbortSignal): Promise<void> => runnable.run(signal);
    if (when === "always") this.#track(this.#background, name, run(this.#always.signal));
    else this.#track(this.#led, name, whileLeading(this.#parts.elector, run, this.#leading.signal));
  }

  #track(group: Set<Started>, name: string, ended: Promise<void>): void {
    const contained = ended.catch((error: unknown) =>
      this.#parts.log.error("A part of the process ended by a fault", { part: name, error }),
    );
    const started: Started = { name, ended: contained };
    group.add(started);
    void contained.then(() => group.delete(started));
  }

  async #stop(election: Promise<void>): Promise<void> {
    const { clock, log, events } = this.#parts;
    const budgetEnds = clock.monotonic() + (this.#lost.signal.aborted ? 0 : this.#graceMs);
    const left = (): number => Math.max(0, budgetEnds - clock.monotonic());
    const leadingEnded = Promise.all([...this.#led].map((work) => work.ended));
    const inTime = await within(clock, left(), leadingEnded);
    if (!inTime) log.error("Work did not end in time; the lease is kept until it has", { work: names(this.#led) });
    using limit = deadline(clock, left());
    await events.flush(limit.signal);

    this.#always.abort(new DOMException("the process stops", "AbortError"));
    const backgroundEnded = Promise.all([...this.#background].map((work) => work.ended));
    if (!(await within(clock, left(), backgroundEnded))) {
      log.error("Work did not end in time", { work: names(this.#background) });
    }
    void leadingEnded.then(() => this.#electing.abort());
    if (inTime) await within(clock, this.#graceMs, election);
  }

  /** Tells when a term that had begun ended without our asking. */
  async #watchLease(): Promise<void> {
    const { elector } = this.#parts;
    if (elector === undefined) return;
    const leading = await elector.whenLeading(this.#leading.signal).catch(() => undefined);
    if (leading === undefined) return; // stopped before it ever led
    await aborted(leading);
    if (!this.#leading.signal.aborted) this.#lost.abort();
  }
}

function names(works: Iterable<Started>): readonly string[] {
  return Array.from(works, (work) => work.name);
}
