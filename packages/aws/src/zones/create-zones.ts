import { sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Aws } from "../create-aws.ts";
import type { ChangeProgress } from "./change-progress.ts";
import { newOrder, orderKey, sizeOf } from "./order.ts";
import type { Order } from "./order.ts";
import { OrderBook } from "./order-book.ts";
import { readNames } from "./read-names.ts";
import { canonicalName } from "./canonical.ts";
import type { RecordSet } from "./record-set.ts";
import { ZONE_SETTINGS } from "./settings.ts";
import type { ZoneSettings } from "./settings.ts";
import { SyncPoller } from "./sync-poller.ts";
import { Workers } from "./workers.ts";
import { ZoneFacts } from "./zone-facts.ts";
import { ZoneReader } from "./zone-reader.ts";
import { ZoneWriter } from "./zone-writer.ts";
import type { ZoneOrder, Zones } from "./zones.ts";

/** Where trouble is told that nobody asked about. A log of the runtime is one. */
export interface ZoneLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface ZonesOptions {
  /** Its budgets keep within the rates of the account. */
  readonly aws: Pick<Aws, "route53">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log?: ZoneLog;
  /** Default: {@link ZONE_SETTINGS}. */
  readonly settings?: Partial<ZoneSettings>;
}

const SWEEP_MS = 60_000;

/** The zones of an account. Makes no call before it is asked something. */
export function createZones(options: ZonesOptions): Zones {
  return new AccountZones(options);
}

class AccountZones implements Zones {
  readonly #options: ZonesOptions;
  readonly #settings: ZoneSettings;
  readonly #book: OrderBook;
  readonly #facts: ZoneFacts;
  readonly #poller: SyncPoller;
  readonly #reader: ZoneReader;
  readonly #writers = new Map<string, ZoneWriter>();
  readonly #working = new Set<ZoneWriter>();
  readonly #workers = new Workers();
  readonly #progress: ((owner: string) => void)[] = [];
  readonly #readings: ((zoneId: string) => void)[] = [];

  constructor(options: ZonesOptions) {
    const { clock, aws } = options;
    const settings = { ...ZONE_SETTINGS, ...options.settings };
    const parts = { clock, calls: aws.route53, settings };
    this.#options = options;
    this.#settings = settings;
    this.#book = new OrderBook(clock, settings);
    this.#facts = new ZoneFacts(clock, aws.route53);
    this.#poller = new SyncPoller(parts, {
      inSync: (orders) => {
        for (const order of orders) this.#tell(order, { state: "inSync" });
      },
      failed: (zoneId, error) => options.log?.warn("a change cannot be asked about", { zoneId, error: String(error) }),
    });
    this.#reader = new ZoneReader(parts, {
      read: (zoneId, reading, begunAt) => {
        this.#book.compare(zoneId, begunAt, reading);
        for (const listener of this.#readings) listener(zoneId);
      },
      failed: (zoneId, error) => options.log?.warn("a zone could not be read", { zoneId, error: String(error) }),
    });
  }

  change({ zoneId: given, changes, owner, patient = false }: ZoneOrder): ChangeProgress {
    if (changes.length === 0) return { state: "inSync" };
    const zoneId = bareId(given);
    const askedAt = this.#options.clock.monotonic();
    const key = orderKey(zoneId, changes);
    const known = this.#book.find(key);
    if (known !== undefined) {
      known.askedAt = askedAt;
      known.owners.add(owner);
      return known.progress;
    }
    const order = newOrder(zoneId, changes, { key, askedAt, owner, patient });
    const { batch } = this.#settings;
    const { elements, characters } = sizeOf(order);
    if (elements > batch.elements || characters > batch.characters) {
      const message = `more than ${batch.elements} values or ${batch.characters} characters in one change`;
      return { state: "refused", code: "TooLarge", message };
    }
    this.#book.add(order);
    this.#writerOf(zoneId).add(order);
    this.#startWriter(zoneId);
    return order.progress;
  }

  async lookup(zoneId: string, name: string, signal: AbortSignal): Promise<readonly RecordSet[]> {
    const begunAt = this.#options.clock.monotonic();
    const id = bareId(zoneId);
    const found = await readNames(this.#options.aws.route53, id, [name], signal);
    this.#book.compareNames(id, begunAt, found);
    return found.get(canonicalName(name)) ?? [];
  }

  zone(zoneId: string, signal: AbortSignal) {
    return this.#facts.get(bareId(zoneId), signal);
  }

  watch(zoneId: string): void {
    this.#reader.watch(bareId(zoneId));
  }

  unwatch(zoneId: string): void {
    this.#reader.unwatch(bareId(zoneId));
  }

  refresh(zoneId: string): void {
    this.#reader.refresh(bareId(zoneId));
  }

  reading(zoneId: string) {
    return this.#reader.reading(bareId(zoneId));
  }

  onProgress(listener: (owner: string) => void): void {
    this.#progress.push(listener);
  }

  onReading(listener: (zoneId: string) => void): void {
    this.#readings.push(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#workers.run(signal, () => {
        this.#workers.start((until) => this.#poller.work(until));
        this.#workers.start((until) => this.#reader.work(until));
        this.#workers.start((until) => this.#sweep(until));
        for (const zoneId of this.#writers.keys()) this.#startWriter(zoneId);
      });
    } finally {
      // Who leads next does what is due by then; an order of today must not be sent in another term.
      this.#book.clear();
      this.#writers.clear();
      this.#poller.forgetAll();
      this.#reader.forgetAll();
    }
  }

  #writerOf(zoneId: string): ZoneWriter {
    const known = this.#writers.get(zoneId);
    if (known !== undefined) return known;
    const { clock, random, aws } = this.#options;
    const writer = new ZoneWriter(zoneId, {
      clock,
      random,
      calls: aws.route53,
      settings: this.#settings,
      tells: {
        accepted: (changeId, orders) => this.#accepted(zoneId, changeId, orders),
        foundDone: (orders) => this.#accepted(zoneId, "", orders),
        ended: (order, progress) => this.#tell(order, progress),
        learned: (found, begunAt) => this.#book.compareNames(zoneId, begunAt, found),
      },
    });
    this.#writers.set(zoneId, writer);
    return writer;
  }

  /** A writer works while it has something to send, and is forgotten then. */
  #startWriter(zoneId: string): void {
    const writer = this.#writers.get(zoneId);
    if (writer === undefined || this.#working.has(writer)) return;
    this.#workers.start(async (signal) => {
      this.#working.add(writer);
      try {
        while (!writer.idle) await writer.work(signal);
        this.#writers.delete(zoneId);
      } finally {
        this.#working.delete(writer);
      }
    });
  }

  #accepted(zoneId: string, changeId: string, orders: readonly Order[]): void {
    if (orders.length === 0) return;
    for (const order of orders) {
      this.#reader.applied(zoneId, order.wanted);
      this.#tell(order, { state: "pending", changeId });
    }
    this.#poller.follow(zoneId, changeId, orders);
  }

  #tell(order: Order, progress: ChangeProgress): void {
    this.#book.note(order, progress);
    for (const owner of order.owners) for (const listener of this.#progress) listener(owner);
  }

  async #sweep(signal: AbortSignal): Promise<never> {
    for (;;) {
      await sleep(this.#options.clock, SWEEP_MS, signal);
      this.#book.sweep();
    }
  }
}

/** Answers of Route 53 write a path before ids. */
function bareId(zoneId: string): string {
  return zoneId.replace(/^\/?hostedzone\//, "");
}
