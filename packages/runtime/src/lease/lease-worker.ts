import { parentPort, workerData } from "node:worker_threads";
import { processClock, systemRandom } from "@gatewright/ports";
import { quietLog } from "@gatewright/telemetry";
import type { Log, LogFields } from "@gatewright/telemetry";
import { createTransport } from "../transport/create-transport.ts";
import type { TransportConfig } from "../transport/transport-config.ts";
import { createElector } from "./create-elector.ts";
import type { Standing } from "./create-elector.ts";
import type { LeaseOptions } from "./elector.ts";
import { leaseBoard } from "./lease-board.ts";

/** What the thread is started with. */
export interface LeaseWorkerData {
  readonly lease: LeaseOptions;
  readonly transport: TransportConfig;
  readonly memory: SharedArrayBuffer;
  /** For how long the main thread may show no life before its lease is left to others. */
  readonly stallMs: number;
}

/** What the thread tells. Whether the lease is held is on the board, which needs nobody to listen. */
export type LeaseWorkerMessage =
  | { readonly kind: "standing"; readonly standing: Standing }
  | { readonly kind: "log"; readonly level: "info" | "warn"; readonly message: string; readonly fields: LogFields };

/** The thread that renews a lease while the main thread may be busy. Ends after the message `stop`, when the lease is given up. */
if (parentPort !== null) {
  const port = parentPort;
  const { lease, transport: config, memory, stallMs } = workerData as LeaseWorkerData;
  const board = leaseBoard(memory);
  const tell = (message: LeaseWorkerMessage): void => port.postMessage(message);
  const log: Log = {
    ...quietLog,
    info: (message, fields = {}) => tell({ kind: "log", level: "info", message, fields }),
    warn: (message, fields = {}) => tell({ kind: "log", level: "warn", message, fields }),
  };
  const stop = new AbortController();
  port.on("message", () => stop.abort());
  const transport = createTransport(config, { clock: processClock });
  const elector = createElector(lease, {
    transport,
    clock: processClock,
    random: systemRandom,
    log,
    fit: () => processClock.monotonic() - board.lastBeat() < stallMs,
    changed(standing) {
      board.setValidUntil(standing.validUntil);
      tell({ kind: "standing", standing });
    },
  });
  // What it rejects with ends the thread, and is told to who started it. Bundled, it can wait for nothing here.
  void elector.run(stop.signal).then(() => {
    transport.close();
    port.close();
  });
}
