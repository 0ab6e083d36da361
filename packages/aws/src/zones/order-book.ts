import type { Clock } from "@gatewright/ports";
import { hasEnded } from "./change-progress.ts";
import type { ChangeProgress } from "./change-progress.ts";
import { contradicts } from "./order.ts";
import type { Order } from "./order.ts";
import type { RecordSet } from "./record-set.ts";
import { ZoneReading } from "./zone-reading.ts";

/** How long orders that have ended are remembered. Milliseconds. */
export interface BookSettings {
  readonly forgetMs: number;
  readonly refusedMs: number;
  readonly failedMs: number;
}

/** All orders that somebody may ask about. Nothing here is needed after a crash. */
export class OrderBook {
  readonly #clock: Clock;
  readonly #settings: BookSettings;
  readonly #byKey = new Map<string, Order>();
  /** By zone and name. */
  readonly #byName = new Map<string, Set<Order>>();

  constructor(clock: Clock, settings: BookSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** The order of this key, unless it is to be made anew. */
  find(key: string): Order | undefined {
    const order = this.#byKey.get(key);
    if (order === undefined || !this.#isStale(order)) return order;
    this.#forget(order);
    return undefined;
  }

  /** Takes in an order. Those that want something else of the same sets are not the answer to any question from now on. */
  add(order: Order): void {
    for (const other of this.#neighbours(order)) if (contradicts(order, other)) this.#forget(other);
    this.#byKey.set(order.key, order);
    for (const place of placesOf(order)) {
      const orders = this.#byName.get(place) ?? new Set();
      this.#byName.set(place, orders.add(order));
    }
  }

  /** Notes how far an order is. */
  note(order: Order, progress: ChangeProgress): void {
    order.progress = progress;
    if (hasEnded(progress)) order.endedAt = this.#clock.monotonic();
  }

  /** Forgets what was in sync in a zone before a moment and is not shown by a reading that began then: others have changed it. */
  compare(zoneId: string, before: number, reading: ZoneReading): void {
    for (const order of this.#byKey.values()) if (order.zoneId === zoneId) this.#compareOne(order, before, reading);
  }

  /** The same for what was read of some names; orders that are about others too are not judged. */
  compareNames(zoneId: string, before: number, found: ReadonlyMap<string, readonly RecordSet[]>): void {
    const reading = new ZoneReading(before);
    for (const record of [...found.values()].flat()) reading.put(record);
    for (const name of found.keys()) {
      for (const order of this.#byName.get(placeOf(zoneId, name)) ?? []) {
        if (order.names.every((each) => found.has(each))) this.#compareOne(order, before, reading);
      }
    }
  }

  /** Forgets what has ended and nobody asks for. */
  sweep(): void {
    const before = this.#clock.monotonic() - this.#settings.forgetMs;
    for (const order of this.#byKey.values()) {
      if (this.#isStale(order) || (hasEnded(order.progress) && order.askedAt < before)) this.#forget(order);
    }
  }

  clear(): void {
    this.#byKey.clear();
    this.#byName.clear();
  }

  #compareOne(order: Order, before: number, reading: ZoneReading): void {
    const settled = order.progress.state === "inSync" && (order.endedAt ?? Infinity) < before;
    if (settled && !reading.shows(order.wanted)) this.#forget(order);
  }

  #isStale({ progress, endedAt = Infinity }: Order): boolean {
    const age = this.#clock.monotonic() - endedAt;
    if (progress.state === "refused") return age >= this.#settings.refusedMs;
    return progress.state === "failed" && age >= this.#settings.failedMs;
  }

  #neighbours(order: Order): ReadonlySet<Order> {
    return new Set(placesOf(order).flatMap((place) => [...(this.#byName.get(place) ?? [])]));
  }

  #forget(order: Order): void {
    if (this.#byKey.get(order.key) === order) this.#byKey.delete(order.key);
    for (const place of placesOf(order)) {
      const orders = this.#byName.get(place);
      orders?.delete(order);
      if (orders?.size === 0) this.#byName.delete(place);
    }
  }
}

function placesOf({ zoneId, names }: Order): readonly string[] {
  return names.map((name) => placeOf(zoneId, name));
}

function placeOf(zoneId: string, name: string): string {
  return `${zoneId} ${name}`;
}
