import { StatusError } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import { linkSignals, sleep } from "@gatewright/ports";
import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Client } from "@gatewright/runtime";
import type { StreamBody, StreamSink } from "@gatewright/runtime/serving";
import { followKind } from "./follow-kind.ts";
import { framesOf, HEAD, HEARTBEAT, SIGNED_OUT } from "./frames.ts";

/** One kind that a reader wants to follow. */
export interface Wanted {
  readonly id: string;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly version: string | undefined;
}

export interface LiveStreamOptions {
  readonly wanted: readonly Wanted[];
  /** Acts as the reader. */
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears of what is a fault of ours. */
  readonly fault: (error: unknown) => void;
  /** Called once, when the stream is over for whatever reason. */
  readonly over: () => void;
}

const HEARTBEAT_MS = 15_000;
/** How long a reader may take nothing at all while something waits for it. */
const PATIENCE_MS = 60_000;

/** All kinds in one stream, no faster than it is read: whoever follows a kind waits until the reader has taken what was told. */
export function liveStream(options: LiveStreamOptions): StreamBody {
  return {
    start(sink) {
      const left = new AbortController();
      void run(options, sink, left.signal).finally(options.over);
      return () => left.abort();
    },
  };
}

async function run(options: LiveStreamOptions, sink: StreamSink, left: AbortSignal): Promise<void> {
  const { wanted, client, clock, fault } = options;
  const ended = new AbortController();
  using linked = linkSignals([options.signal, left, ended.signal]);
  const writer = pacedWriter(sink, clock, () => ended.abort());
  writer.write(HEAD);
  const beating = beat(writer, clock, linked.signal);
  const following = wanted.map(async ({ id, ...kind }) => {
    const tell = async (news: Parameters<typeof framesOf>[1]): Promise<void> => {
      for (const frame of framesOf(id, news, clock.now())) {
        writer.write(frame);
        await writer.ready(linked.signal);
      }
    };
    try {
      await followKind({ ...kind, client, clock, tell }, linked.signal);
    } catch (error) {
      if (linked.signal.aborted) return;
      if (error instanceof StatusError && error.code === 401) writer.write(SIGNED_OUT);
      else fault(error);
      ended.abort();
    }
  });
  await Promise.all([...following, beating]);
  writer.close();
  sink.end();
}

async function beat(writer: PacedWriter, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Rejects only as aborted.
    await sleep(clock, HEARTBEAT_MS, signal).catch(() => {});
    if (!signal.aborted && writer.idle) writer.write(HEARTBEAT);
  }
}

interface PacedWriter {
  /** Nothing waits for the reader. */
  readonly idle: boolean;
  write(frame: Buffer): void;
  /** Resolves when the reader has taken what was written, or the signal aborts. */
  ready(signal: AbortSignal): Promise<void>;
  close(): void;
}

function pacedWriter(sink: StreamSink, clock: Clock, impatient: () => void): PacedWriter {
  let idle = true;
  let waiting = Promise.withResolvers<void>();
  let cancel: CancelTimer = () => {};
  sink.onDrain(() => {
    cancel();
    idle = true;
    waiting.resolve();
  });
  return {
    get idle() {
      return idle;
    },
    write(frame) {
      if (sink.write(frame) || !idle) return;
      idle = false;
      waiting = Promise.withResolvers<void>();
      cancel = clock.timer(PATIENCE_MS, impatient);
    },
    async ready(signal) {
      if (idle || signal.aborted) return;
      const gone = Promise.withResolvers<void>();
      const leave = (): void => gone.resolve();
      signal.addEventListener("abort", leave, { once: true });
      await Promise.race([waiting.promise, gone.promise]);
      signal.removeEventListener("abort", leave);
    },
    close: () => cancel(),
  };
}
