import { parentPort, workerData } from "node:worker_threads";
import type { MessagePort } from "node:worker_threads";
import { deadline, keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import type { Log, LogFields } from "@gatewright/telemetry";
import { tracerOf } from "../run/tracer-of.ts";
import { watchedGateway } from "../run/watched-gateway.ts";
import { numbersOf } from "./worker-messages.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./worker-messages.ts";

const NUMBERS_MS = 5000;
const FLUSH_MS = 1000;

/** A thread that serves what the main thread tells it to. Ends when it is told to. */
async function serve(port: MessagePort, start: WorkerStart): Promise<void> {
  const tell = (message: FromWorker): void => port.postMessage(message);
  using _alive = keepAlive();
  const log = toldLog(tell, {});
  const [clock, random] = [systemClock, systemRandom];
  let { isConfigured } = start;
  const tracer = tracerOf(start.settings, start.env, { clock, random, log });
  const watched = watchedGateway(start.settings, {
    clock,
    random,
    log,
    tracer,
    write: (lines) => tell({ type: "lines", lines }),
    configured: () => isConfigured,
    stickySecret: start.stickySecret,
    workers: start.workers,
    isWorker: true,
  });
  const { gateway, metrics } = watched;
  const ending = new AbortController();
  const { promise: closed, resolve: close } = Promise.withResolvers<number>();
  const listen = async (settings: WorkerStart["settings"]): Promise<void> => {
    for (const { message } of await gateway.listen(settings, ending.signal))
      log.error("A listener cannot do what its settings say", { problem: message });
  };
  let listening = Promise.resolve();
  port.on("message", (message: ToWorker) => {
    switch (message.type) {
      case "change":
        gateway.change(message.set, message.removed);
        tell({ type: "done", id: message.id });
        return;
      case "settings":
        listening = listening.then(() => listen(message.settings)).then(() => tell({ type: "done", id: message.id }));
        return;
      case "configured":
        isConfigured = true;
        return;
      case "metrics":
        tell({ type: "metrics", body: metrics.exposition().body });
        return;
      case "close":
        close(message.graceMs);
        return;
    }
  });
  gateway.replace(start.objects);
  listening = listen(start.settings);
  await listening;
  tell({ type: "listening" });
  const beat = (): void => {
    tell({ type: "numbers", numbers: numbersOf(watched) });
    clock.timer(NUMBERS_MS, beat);
  };
  clock.timer(NUMBERS_MS, beat);

  await gateway.close(await closed, ending.signal);
  watched.flush();
  using limit = deadline(clock, FLUSH_MS);
  await tracer?.flush(limit.signal);
  port.close();
}

/** A log whose lines the main thread writes. */
function toldLog(tell: (message: FromWorker) => void, own: LogFields): Log {
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, fields: LogFields = {}): void =>
      tell({ type: "log", level, message, fields: sendable({ ...own, ...fields }) });
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => toldLog(tell, { ...own, ...fields }),
  };
}

/** Only what another thread can be sent: an error as its stack, functions not at all. */
function sendable(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (value instanceof Error) return [name, value.stack ?? value.message];
      return [name, typeof value === "object" && value !== null ? JSON.stringify(value) : value];
    }),
  );
}

// What it rejects with ends the thread, and is told to who started it. Bundled, it can wait for nothing here.
if (parentPort !== null) void serve(parentPort, workerData as WorkerStart);
