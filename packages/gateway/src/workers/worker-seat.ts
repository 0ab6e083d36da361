import type { Worker } from "node:worker_threads";
import { sleep } from "@gatewright/ports";
import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/telemetry";
import { addedMetrics } from "./added-metrics.ts";
import type { FromWorker, ToWorker, WorkerNumbers } from "./worker-messages.ts";

/** What seats share. */
export interface SeatParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Takes lines of the access log. */
  readonly write: (lines: string) => void;
  /** Starts a thread with everything as it is now. */
  readonly spawn: () => Worker;
}

/** How a worker is. */
export interface WorkerState {
  readonly worker: number;
  readonly state: "starting" | "listening" | "down";
  readonly restarts: number;
  readonly numbers: WorkerNumbers;
}

/** Omits `id` of each message that has one. */
type Numbered = Extract<ToWorker, { readonly id: number }>;
type Unnumbered = Numbered extends infer M ? (M extends Numbered ? Omit<M, "id"> : never) : never;

/** A worker that does not do what it is told within this time hangs, and is ended. */
const PATIENCE_MS = 30_000;
const SCRAPE_MS = 2000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 10_000];
const GOOD_LIFE_MS = 60_000;
const NONE: WorkerNumbers = { connections: 0, activeRequests: 0, requestsPerSecond: 0, errorRate: 0 };

/** One worker's place: when its thread ends, another one takes it. */
export class WorkerSeat {
  readonly #place: number;
  readonly #parts: SeatParts;
  #thread: Worker | undefined;
  #state: WorkerState["state"] = "down";
  #restarts = 0;
  #numbers = NONE;
  #sent = 0;
  #done = 0;
  #patience: CancelTimer = () => {};
  #waiting: { readonly id: number; readonly resolve: () => void }[] = [];
  #scraping: ((body: string | undefined) => void)[] = [];
  /** What the last scrape of this life said, for when it is the last. */
  lastScrape = "";
  /** What the last scrapes of lives that are over said, together. */
  past = "";

  constructor(place: number, parts: SeatParts) {
    this.#place = place;
    this.#parts = parts;
  }

  get state(): WorkerState {
    return { worker: this.#place, state: this.#state, restarts: this.#restarts, numbers: this.#numbers };
  }

  /** Keeps a thread here until the signal aborts, and then until that one has ended. */
  async run(signal: AbortSignal, listening: () => void): Promise<void> {
    const { clock, log } = this.#parts;
    let pause = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const began = clock.monotonic();
      const why = await this.#live(listening);
      if (signal.aborted) return;
      if (clock.monotonic() - began > GOOD_LIFE_MS) pause = FIRST_PAUSE_MS;
      this.#restarts++;
      log.error("A worker ended; another one takes its place", { worker: this.#place, problem: why, inMs: pause });
      await sleep(clock, pause, signal).catch(() => {}); // the loop looks at the signal
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Tells something that is answered. A thread that starts later has it from its start. */
  tell(message: Unnumbered): void {
    if (this.#thread === undefined) return;
    this.#thread.postMessage({ ...message, id: ++this.#sent } satisfies ToWorker, []);
    this.#beImpatient();
  }

  say(message: ToWorker): void {
    this.#thread?.postMessage(message, []);
  }

  /** Resolves when everything that was told so far is done, or the thread that was told is no more. */
  settled(): Promise<void> {
    if (this.#done >= this.#sent) return Promise.resolve();
    return new Promise((resolve) => void this.#waiting.push({ id: this.#sent, resolve }));
  }

  /** The worker's metrics; undefined when there is none to ask, or it does not answer. */
  scrape(): Promise<string | undefined> {
    if (this.#state !== "listening") return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const cancel = this.#parts.clock.timer(SCRAPE_MS, () => resolve(undefined));
    this.#scraping.push(resolve);
    this.say({ type: "metrics" });
    return promise.finally(cancel);
  }

  /** Ends the thread at once. */
  async kill(): Promise<void> {
    await this.#thread?.terminate();
  }

  /** One thread, until it has ended; resolves to why. */
  #live(listening: () => void): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const thread = this.#parts.spawn();
    this.#thread = thread;
    this.#state = "starting";
    this.#beImpatient();
    let why = "";
    thread.on("message", (message: FromWorker) => {
      if (message.type === "listening") {
        this.#state = "listening";
        this.#calm();
        listening();
      } else this.#heard(message);
    });
    thread.on("error", (error) => {
      why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    });
    thread.on("exit", (code) => {
      this.#over();
      listening();
      resolve(why === "" ? `it ended with code ${code}` : why);
    });
    return promise;
  }

  #heard(message: FromWorker): void {
    switch (message.type) {
      case "done":
        this.#done = message.id;
        this.#calm();
        this.#waiting = this.#waiting.filter(({ id, resolve }) => {
          if (id > this.#done) return true;
          resolve();
          return false;
        });
        return;
      case "metrics":
        this.lastScrape = message.body;
        this.#scraping.shift()?.(message.body);
        return;
      case "numbers":
        this.#numbers = message.numbers;
        return;
      case "lines":
        this.#parts.write(message.lines);
        return;
      case "log":
        this.#parts.log[message.level](message.message, { ...message.fields, worker: this.#place });
        return;
      case "listening":
    }
  }

  #over(): void {
    this.#thread = undefined;
    this.#state = "down";
    this.#numbers = NONE;
    this.#done = this.#sent;
    this.#patience();
    if (this.lastScrape !== "") this.past = addedMetrics([], [this.past, this.lastScrape]);
    this.lastScrape = "";
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    for (const resolve of this.#scraping.splice(0)) resolve(undefined);
  }

  #beImpatient(): void {
    this.#patience();
    this.#patience = this.#parts.clock.timer(PATIENCE_MS, () => {
      this.#parts.log.error("A worker hangs and is ended", { worker: this.#place });
      void this.kill();
    });
  }

  #calm(): void {
    if (this.#done >= this.#sent && this.#state === "listening") this.#patience();
  }
}
