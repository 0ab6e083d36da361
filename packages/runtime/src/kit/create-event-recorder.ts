import { events as api } from "@gatewright/kube/api";
import type { core } from "@gatewright/kube/api";
import { formatMicroTime, StatusError } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import { aborted, randomString, sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Client } from "../client/client.ts";
import { isNamespaceEnding, isNotFound } from "../client/error-kinds.ts";
import { quietLog } from "@gatewright/telemetry";
import type { Log } from "@gatewright/telemetry";
import type { EventRecorder } from "./event-recorder.ts";
import { createEventSeries } from "./event-series.ts";
import type { Series } from "./event-series.ts";

export interface EventRecorderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Who tells: `example.com/controller`. */
  readonly reporter: string;
  /** Which process of it. Default: the reporter. */
  readonly instance?: string;
  readonly log?: Log;
}

/** An event recorder that can be emptied before the process ends. */
export interface FlushingEventRecorder extends EventRecorder {
  /** Resolves when everything is written or given up, or when the signal aborts. */
  flush(signal: AbortSignal): Promise<void>;
}

const MAX_WAITING = 1000;
const TRIES = 5;
/** Who drops events has enough to do: how many is told now and then. */
const TELL_DROPS_MS = 10_000;
/** As many as a kubelet tells: more would take the server's time from what they are about. */
const PER_SECOND = 50;
const BURST = 200;
const HEX = "0123456789abcdef";

/**
 * Writes events one after the other, in order, 50 a second after the first 200. An event is dropped, and that is logged, when 1000
 * others wait already, when its object has had 25 in a row (one more every five minutes), or when the server refuses it. One that
 * happens again is told then, with its count. Nothing runs while nothing is recorded.
 */
export function createEventRecorder(options: EventRecorderOptions): FlushingEventRecorder {
  const { client, clock, random, reporter, instance = reporter, log = quietLog } = options;
  const events = client.for(api.Event);
  const waiting = new Set<Series>();
  let writing: Promise<void> | undefined;
  let current: Series | undefined;

  let [dropped, toldAt] = [0, Number.NEGATIVE_INFINITY];
  const drop = (): void => {
    dropped++;
    if (clock.monotonic() - toldAt < TELL_DROPS_MS) return;
    log.warn("Events dropped: too many wait", { dropped });
    [dropped, toldAt] = [0, clock.monotonic()];
  };

  const enqueue = (series: Series): void => {
    if (waiting.size >= MAX_WAITING && !waiting.has(series)) return drop();
    waiting.add(series);
    writing ??= drain();
  };

  const known = createEventSeries(clock, {
    add: enqueue,
    has: (series) => series === current || waiting.has(series),
  });

  const hurry = new AbortController();
  let [turns, countedAt] = [BURST, clock.monotonic()];
  /** Resolves when the next event may be written: at once for a few, then at a pace, and at once when the process ends. */
  const turn = async (): Promise<void> => {
    const now = clock.monotonic();
    turns = Math.min(BURST, turns + ((now - countedAt) / 1000) * PER_SECOND) - 1;
    countedAt = now;
    if (turns >= 0 || hurry.signal.aborted) return;
    await sleep(clock, (-turns * 1000) / PER_SECOND, hurry.signal).catch(() => {}); // aborted: it is written now
  };

  const drain = async (): Promise<void> => {
    for (const series of waiting) {
      await turn();
      waiting.delete(series);
      current = series;
      await write(series);
      current = undefined;
    }
    writing = undefined; // in the same turn in which nothing was left, so that no event is missed
  };

  const write = async (series: Series): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await send(series);
        return;
      } catch (error) {
        const refused = error instanceof StatusError && error.code < 500 && error.code !== 429;
        if (refused || attempt >= TRIES) {
          known.failed(series);
          // Where a namespace goes, so do the events in it.
          const expected = isNamespaceEnding(error) || isNotFound(error);
          log[expected ? "debug" : "warn"]("Event not written", {
            reason: series.note.reason,
            object: series.regarding.name,
            error,
          });
          return;
        }
      }
      await sleep(clock, 1000 * 2 ** (attempt - 1));
    }
  };

  const send = async (series: Series): Promise<void> => {
    const { count, name } = series;
    if (count <= series.toldCount) return;
    if (name !== undefined && count > 1) {
      const told = { count, lastObservedTime: formatMicroTime(series.lastSeen) };
      try {
        await events.patch({ namespace: namespaceOf(series), name }, { merge: { series: told } });
        known.wrote(series, name, count);
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error; // it has expired: tell it anew
      }
    }
    const fresh = `${series.regarding.name?.slice(0, 230) ?? "event"}.${randomString(random, HEX, 16)}`;
    await events.create(eventOf(series, fresh, reporter, instance));
    known.wrote(series, fresh, count);
  };

  return {
    record(regarding, note) {
      try {
        const problem = known.add(referenceTo(regarding), note, note.related && referenceTo(note.related));
        if (problem !== undefined) log.debug("Event dropped", { reason: note.reason, problem });
      } catch (error) {
        log.warn("Event not recorded", { reason: note.reason, error });
      }
    },
    async flush(signal) {
      hurry.abort();
      known.flush();
      await Promise.race([writing ?? Promise.resolve(), aborted(signal)]);
    },
  };
}

function namespaceOf({ regarding }: Series): string {
  return regarding.namespace ?? "default";
}

function eventOf(series: Series, name: string, reporter: string, instance: string) {
  const { note, regarding, related, count } = series;
  return {
    metadata: { namespace: namespaceOf(series), name },
    eventTime: formatMicroTime(series.firstSeen),
    reportingController: reporter,
    reportingInstance: cut(instance, 128),
    type: note.type,
    reason: cut(note.reason, 128),
    action: cut(note.action ?? note.reason, 128),
    note: cut(note.note, 1024),
    regarding,
    ...(related !== undefined && { related }),
    ...(count > 1 && { series: { count, lastObservedTime: formatMicroTime(series.lastSeen) } }),
  };
}

function referenceTo(object: Immutable<ApiObject>): core.ObjectReference {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** The beginning of a text that fits into so many bytes, with no character broken. */
function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text, "utf8");
  if (whole.length <= bytes) return text;
  let end = bytes - 3;
  while (end > 0 && (whole[end]! & 0xc0) === 0x80) end--;
  return `${whole.toString("utf8", 0, end)}...`;
}
