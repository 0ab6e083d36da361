import type { Clock } from "@gatewright/ports";
import { AwsCallError, isAbsent } from "../aws-call-error.ts";
import type { Route53Calls } from "../services/route53.ts";
import { Alarm } from "./alarm.ts";
import { nextStart } from "./read-names.ts";
import type { RecordSet } from "./record-set.ts";
import { fromWire } from "./wire-record.ts";
import { ZoneReading } from "./zone-reading.ts";

/** How often zones are read. */
export interface ReaderSettings {
  /** The shortest time between two readings of a zone that nobody asked for. */
  readonly readEveryMs: number;
  /** Pages a second, of all zones together, in the long run: the more there is to read, the rarer it is read. */
  readonly pagesPerSecond: number;
}

interface Watched {
  reading: ZoneReading | undefined;
  /** Monotonic milliseconds. */
  dueAt: number;
  /** Somebody asked for it: the budget does not hold it back. */
  urgent: boolean;
  failures: number;
  /** What was changed while it is being read. */
  meanwhile: ReadonlyMap<string, RecordSet | undefined>[] | undefined;
}

/** Whom a reader tells. */
export interface ReaderTells {
  read(zoneId: string, reading: ZoneReading, begunAt: number): void;
  failed(zoneId: string, error: unknown): void;
}

/** The shortest time between two readings that are asked for. */
const URGENT_MS = 5_000;
const PAGE = "300";

/** Reads zones as a whole, one after the other, slowly. */
export class ZoneReader {
  readonly #clock: Clock;
  readonly #calls: Route53Calls;
  readonly #settings: ReaderSettings;
  readonly #tells: ReaderTells;
  readonly #alarm: Alarm;
  readonly #watched = new Map<string, Watched>();
  /** When the budget allows the next reading that nobody asked for. */
  #paidAt = 0;

  constructor(
    parts: { readonly clock: Clock; readonly calls: Route53Calls; readonly settings: ReaderSettings },
    tells: ReaderTells,
  ) {
    this.#clock = parts.clock;
    this.#calls = parts.calls;
    this.#settings = parts.settings;
    this.#tells = tells;
    this.#alarm = new Alarm(parts.clock);
  }

  watch(zoneId: string): void {
    if (this.#watched.has(zoneId)) return;
    const dueAt = this.#clock.monotonic();
    this.#watched.set(zoneId, { reading: undefined, dueAt, urgent: true, failures: 0, meanwhile: undefined });
    this.#alarm.ring();
  }

  unwatch(zoneId: string): void {
    this.#watched.delete(zoneId);
  }

  /** Begins a new reading soon. */
  refresh(zoneId: string): void {
    const watched = this.#watched.get(zoneId);
    if (watched === undefined || watched.urgent) return;
    const last = watched.dueAt - this.#settings.readEveryMs;
    watched.urgent = true;
    watched.dueAt = Math.min(watched.dueAt, Math.max(this.#clock.monotonic(), last + URGENT_MS));
    this.#alarm.ring();
  }

  reading(zoneId: string): ZoneReading | undefined {
    return this.#watched.get(zoneId)?.reading;
  }

  /** What a zone has by now, known from elsewhere. */
  applied(zoneId: string, wanted: ReadonlyMap<string, RecordSet | undefined>): void {
    const watched = this.#watched.get(zoneId);
    watched?.reading?.apply(wanted);
    watched?.meanwhile?.push(wanted);
  }

  /** Nothing that was read is known any more; what is watched stays so. */
  forgetAll(): void {
    for (const watched of this.#watched.values()) {
      watched.reading = undefined;
      watched.meanwhile = undefined;
      watched.urgent = true;
      watched.dueAt = this.#clock.monotonic();
    }
  }

  /** Reads until the signal aborts, and rejects with its reason. */
  async work(signal: AbortSignal): Promise<never> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.monotonic();
      const [next] = [...this.#watched]
        .map(([zoneId, watched]) => ({ zoneId, watched, at: this.#allowedAt(watched) }))
        .toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > now) await this.#alarm.wait((next?.at ?? Infinity) - now, signal);
      else await this.#read(next.zoneId, next.watched, signal);
    }
  }

  #allowedAt({ dueAt, urgent }: Watched): number {
    return urgent ? dueAt : Math.max(dueAt, this.#paidAt);
  }

  async #read(zoneId: string, watched: Watched, signal: AbortSignal): Promise<void> {
    const begunAt = this.#clock.monotonic();
    watched.urgent = false;
    watched.meanwhile = [];
    let pages = 0;
    try {
      const reading = new ZoneReading(this.#clock.now());
      for (let start: object | undefined = {}; start !== undefined; pages++) {
        start = await this.#page(zoneId, start, reading, signal);
      }
      for (const wanted of watched.meanwhile ?? []) reading.apply(wanted);
      watched.reading = reading;
      watched.failures = 0;
      watched.dueAt = this.#clock.monotonic() + this.#settings.readEveryMs;
      if (this.#watched.get(zoneId) === watched) this.#tells.read(zoneId, reading, begunAt);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AwsCallError)) throw error;
      if (isAbsent(error)) watched.reading = undefined;
      const pause = Math.min(URGENT_MS * 2 ** watched.failures++, this.#settings.readEveryMs);
      watched.dueAt = this.#clock.monotonic() + pause;
      this.#tells.failed(zoneId, error);
    } finally {
      watched.meanwhile = undefined;
      this.#paidAt = Math.max(this.#paidAt, begunAt) + (1_000 * Math.max(pages, 1)) / this.#settings.pagesPerSecond;
    }
  }

  /** Puts a page into the reading. Where the next one begins, or undefined after the last. */
  async #page(zoneId: string, start: object, reading: ZoneReading, signal: AbortSignal): Promise<object | undefined> {
    const page = await this.#calls.listResourceRecordSets(
      { HostedZoneId: zoneId, MaxItems: PAGE, ...start },
      { signal },
    );
    for (const set of page.ResourceRecordSets) reading.put(fromWire(set));
    return page.IsTruncated ? nextStart(page) : undefined;
  }
}
