import { status as grpcStatus } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import type { Clock, Random } from "@gatewright/ports";
import { aborted, linkSignals, sleep } from "@gatewright/ports";
import type { Log, Metrics, Runnable } from "@gatewright/runtime";
import type { ChangePace } from "../distribution/change-pace.ts";
import type { Connections } from "../distribution/connected-gateway.ts";
import type { Feed } from "../feed/feed.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { pushCounters } from "../stream/stream-metrics.ts";
import type { GatewayCalls } from "./gateway-calls.ts";
import { pushSession } from "./push-session.ts";

/** A gateway that is pushed to. */
export interface PushedGateway {
  /** `10.0.0.7:9445`. */
  readonly address: string;
  /** The name that its certificate must have. Default: that of the address. */
  readonly serverName?: string;
  /** Only objects of these; none: of all. */
  readonly namespaces?: readonly string[];
}

/** Which gateways there are to push to. */
export interface PushedGateways {
  readonly current: readonly PushedGateway[];
  /** Told when `current` is another one. */
  subscribe(listener: () => void): () => void;
}

export interface PushOptions {
  readonly gateways: PushedGateways;
  /** Asked for each connection anew, so that rotated certificates take effect. */
  readonly dial: (gateway: PushedGateway) => Promise<GatewayCalls>;
  /** Throws unless this process may write now. */
  readonly gate: () => void;
  readonly catalogue: Catalogue;
  readonly connections: Connections;
  readonly pace: ChangePace;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics?: Metrics;
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [500, 30_000];

/**
 * What pushes, in a manager: while this process leads, since two that push would undo each other's work, and from when on it knows all
 * that the one before it knew, or gateways would go back to what was before.
 */
export function pushing(options: PushOptions & { readonly feed: Pick<Feed, "caughtUp"> }): Runnable {
  return {
    name: "routing-push",
    when: "leading",
    async run(signal) {
      await options.feed.caughtUp(signal);
      await pushToGateways(options, signal);
    },
  };
}

/** Pushes to the gateways of a list until the signal aborts; those that come to it are begun with, those that go are left alone. */
export async function pushToGateways(options: PushOptions, signal: AbortSignal): Promise<void> {
  const running = new Map<string, { readonly stopping: AbortController; readonly done: Promise<void> }>();
  const ended = new Set<Promise<void>>();
  const follow = (): void => {
    const wanted = new Map(options.gateways.current.map((gateway) => [JSON.stringify(gateway), gateway]));
    for (const [key, { stopping, done }] of running) {
      if (wanted.has(key)) continue;
      running.delete(key);
      ended.add(done.finally(() => ended.delete(done)));
      stopping.abort();
    }
    for (const [key, gateway] of wanted) {
      if (running.has(key)) continue;
      const stopping = new AbortController();
      running.set(key, { stopping, done: keepPushing(options, gateway, signal, stopping.signal) });
    }
  };
  const unsubscribe = options.gateways.subscribe(follow);
  if (!signal.aborted) follow();
  await aborted(signal);
  unsubscribe();
  await Promise.all([...running.values()].map(({ done }) => done));
  await Promise.all(ended);
}

async function keepPushing(
  options: PushOptions,
  gateway: PushedGateway,
  all: AbortSignal,
  own: AbortSignal,
): Promise<void> {
  const { clock, random, log } = options;
  const { address, namespaces = [] } = gateway;
  const counted = pushCounters(options.metrics, "push");
  using ends = linkSignals([all, own]);
  const { signal } = ends;
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const began = clock.monotonic();
    try {
      using calls = await options.dial(gateway);
      await pushSession({ ...options, calls, namespaces, counted }, signal);
    } catch (error) {
      if (signal.aborted) return;
      counted.failed();
      log.warn("A gateway cannot be pushed to; trying again", { address, problem: problemOf(error) });
    }
    if (clock.monotonic() - began > LONGEST_PAUSE_MS) pause = FIRST_PAUSE_MS;
    const jittered = pause * (0.75 + (random.bytes(1)[0] ?? 0) / 512);
    await sleep(clock, jittered, signal).catch(() => {}); // the loop looks at the signal
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function problemOf(error: unknown): string {
  const { code, details } = error as Partial<ServiceError>;
  return code === undefined ? String(error) : `${grpcStatus[code]}: ${details ?? ""}`;
}
