import { Worker } from "node:worker_threads";
import { processClock, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import type { Log } from "@gatewright/telemetry";
import type { TransportConfig } from "../transport/transport-config.ts";
import type { Standing } from "./create-elector.ts";
import type { Elector, LeaseOptions } from "./elector.ts";
import { leaseBoard } from "./lease-board.ts";
import { leaseTiming } from "./lease-timing.ts";
import type { LeaseWorkerData, LeaseWorkerMessage } from "./lease-worker.ts";
import { createTerm } from "./term.ts";

export interface ThreadedElectorDependencies {
  /** How the thread reaches the server, over a connection of its own. */
  readonly transport: TransportConfig;
  readonly log?: Log;
  /**
   * For how long this thread may be stuck before its lease is left to others. Default: 60 s. Shorter than that, a stall (a long
   * list, a collection of garbage) costs nothing; longer, a process that hangs is replaced.
   */
  readonly stallMs?: number;
  /** Called when the thread tells something new. */
  readonly changed?: (standing: Standing) => void;
  /** The source of the thread, for programs that are one file. Default: this package's. */
  readonly source?: URL;
}

/**
 * An elector whose lease is renewed by a thread of its own, so that a busy main thread does not lose it. Whether the lease is held
 * is read from shared memory, without waiting. If the thread dies, the lease runs out by itself, and a new thread tries for it: it
 * waits until the old one's lease has expired, as it cannot know what that one wrote.
 */
export function createThreadedElector(options: LeaseOptions, dependencies: ThreadedElectorDependencies): Elector {
  const { transport, log = quietLog, stallMs = 60_000, changed = () => {} } = dependencies;
  const clock: Clock = processClock;
  const timing = leaseTiming(options);
  const board = leaseBoard();
  board.setValidUntil(Number.NEGATIVE_INFINITY);
  const term = createTerm(clock, () => board.validUntil());
  let standing: Standing = { validUntil: Number.NEGATIVE_INFINITY, holder: undefined, epoch: 0, slowPaths: 0 };

  const heard = (message: LeaseWorkerMessage): void => {
    if (message.kind === "log") {
      log[message.level](message.message, message.fields);
      return;
    }
    standing = message.standing;
    term.update(standing.validUntil);
    changed(standing);
  };

  /** One life of the thread. Resolves when it has ended, whatever the reason. */
  const runThread = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const data: LeaseWorkerData = { lease: options, transport, memory: board.memory, stallMs };
      const source = dependencies.source ?? new URL("./lease-worker.ts", import.meta.url);
      const worker = new Worker(source, { workerData: data, execArgv: [] });
      let giveUp = (): void => {};
      const stop = (): void => {
        worker.postMessage("stop", []);
        giveUp = clock.timer(timing.renewDeadlineMs + 2 * timing.callMs, () => void worker.terminate());
      };
      worker.on("message", heard);
      worker.on("error", (error) =>
        log.error("The thread that renews the lease failed", { lease: options.name, error }),
      );
      worker.on("exit", () => {
        signal.removeEventListener("abort", stop);
        giveUp();
        resolve();
      });
      signal.addEventListener("abort", stop, { once: true });
    });

  return {
    async run(signal) {
      const ended = new AbortController();
      const beat = (): void => {
        board.beat(clock.monotonic());
        if (!ended.signal.aborted) clock.timer(Math.min(1000, stallMs / 4), beat);
      };
      beat();
      try {
        while (!signal.aborted) {
          await runThread(signal);
          if (!signal.aborted) await sleep(clock, timing.retryMs, signal).catch(() => {}); // the loop looks at the signal
        }
      } finally {
        ended.abort();
        board.setValidUntil(Number.NEGATIVE_INFINITY);
        term.update(Number.NEGATIVE_INFINITY);
      }
    },
    whenLeading: (signal) => term.whenLeading(signal),
    check: () => term.check(),
    validUntil: () => board.validUntil(),
    get holder() {
      return standing.holder;
    },
    get epoch() {
      return standing.epoch;
    },
  };
}
