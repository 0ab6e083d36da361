import { Server } from "@grpc/grpc-js";
import type { ServerCredentials } from "@grpc/grpc-js";
import { grpcService, operatorApi } from "@gatewright/gateway-wire";
import type { Clock, Random } from "@gatewright/ports";
import type { Log, Metrics } from "@gatewright/runtime";
import type { ChangePace } from "../distribution/change-pace.ts";
import type { Connections } from "../distribution/connected-gateway.ts";
import type { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { avapigwView } from "./avapigw/avapigw-view.ts";
import { configurationService } from "./configuration-service.ts";
import { ownView } from "./dialect-view.ts";
import type { DialectView } from "./dialect-view.ts";
import { Sessions } from "./sessions.ts";
import { StreamCalls } from "./stream-calls.ts";
import { streamMetrics } from "./stream-metrics.ts";

export interface StreamOptions {
  /** `0.0.0.0:9444`; port 0: any. */
  readonly address: string;
  /** With client certificates demanded, outside tests: see `changingServerCredentials`. */
  readonly credentials: ServerCredentials;
  readonly catalogue: MutableCatalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics?: Metrics;
  /** How often gateways say that they live. Default: 30 s. Never 0 or less: gateways of AVAPIGW end when it is. */
  readonly heartbeatMs?: number;
  /** Whether a gateway's certificate must be in its name. Default: true. Without it any certificate speaks for any gateway. */
  readonly bindsIdentity?: boolean;
}

/** The stream that gateways follow. */
export interface StreamServer {
  readonly port: number;
  /** Ends all streams so that gateways look for another operator, then the server. Twice does nothing. */
  close(): Promise<void>;
}

/** How long gateways may take to go. */
const GRACE_MS = 5_000;

/** Serves AVAPIGW's ConfigurationService until it is closed or the signal aborts. */
export async function serveStream(options: StreamOptions, signal: AbortSignal): Promise<StreamServer> {
  const { catalogue, clock, random, log, heartbeatMs = 30_000, bindsIdentity = true } = options;
  if (!(heartbeatMs >= 1)) throw new RangeError("heartbeatMs is 1 or more");
  signal.throwIfAborted();
  const ending = new AbortController();
  const metrics = streamMetrics(options.metrics, () => calls.size);
  /** Made for the first gateway that needs it: it is as large as the catalogue. */
  let avapigw: DialectView | undefined;
  const avapigwOnce = (): DialectView => {
    if (avapigw === undefined) {
      const view = avapigwView(options, ending.signal);
      view.keepSince(() => calls.leastMark());
      avapigw = view;
    }
    return avapigw;
  };
  const calls = new StreamCalls({ ...options, metrics, own: ownView(catalogue), avapigw: avapigwOnce });
  const sessions = new Sessions({
    clock,
    random,
    heartbeatMs,
    reaped: ({ info: { namespace, name } }) => {
      metrics.reaped();
      log.warn("A gateway was not heard for three heartbeats", { gateway: `${namespace}/${name}` });
    },
  });
  sessions.start(ending.signal);
  const server = new Server({
    "grpc.max_receive_message_length": 64 * 1024 * 1024,
    "grpc.keepalive_time_ms": 30_000,
    "grpc.keepalive_timeout_ms": 10_000,
  });
  const service = configurationService({
    sessions,
    clock,
    metrics,
    heartbeatMs,
    bindsIdentity,
    isEnding: () => ending.signal.aborted,
    open: (call, session) => calls.open(call, session),
  });
  server.addService(grpcService(operatorApi.ConfigurationService), service);
  const port = await bound(server, options);
  const end = async (): Promise<void> => {
    ending.abort();
    calls.endAll("the operator ends; another one takes over");
    await ended(server, clock);
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());
  signal.addEventListener("abort", () => void close(), { once: true });
  if (signal.aborted) await close();
  log.info("Gateways are served", { address: options.address, port });
  return { port, close };
}

function bound(server: Server, { address, credentials }: StreamOptions): Promise<number> {
  return new Promise((resolve, reject) =>
    server.bindAsync(address, credentials, (error, port) => (error === null ? resolve(port) : reject(error))),
  );
}

/** Lets calls come to their end, then closes what is left: by then no stream is open that could be cancelled by it. */
function ended(server: Server, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.timer(GRACE_MS, () => {
      server.forceShutdown();
      resolve();
    });
    server.tryShutdown(() => {
      cancel();
      server.forceShutdown();
      resolve();
    });
  });
}
