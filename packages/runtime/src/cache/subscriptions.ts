import type { Clock, Random } from "@gatewright/ports";
import type { Immutable } from "@gatewright/kube";
import type { CacheChange, CacheListener } from "./informer.ts";
import { randomFraction } from "./random-fraction.ts";

interface Subscription<T> {
  readonly listener: CacheListener<T>;
  readonly resyncMs: number | undefined;
  active: boolean;
  cancelResync: () => void;
}

export interface SubscriptionsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Who listens to an informer. Each is told everything in one order, also when telling leads to more to tell. One that throws misses
 * nothing else and harms nobody: the failure is handed on.
 */
export class Subscriptions<T> {
  readonly #options: SubscriptionsOptions;
  readonly #objects: () => readonly Immutable<T>[];
  /** Replaced, never changed: what waits to be told keeps who was listening then. */
  #all: readonly Subscription<T>[] = [];
  readonly #waiting: { readonly change: CacheChange<T>; readonly to: readonly Subscription<T>[] }[] = [];
  #telling = false;
  #running = false;

  constructor(options: SubscriptionsOptions, objects: () => readonly Immutable<T>[]) {
    this.#options = options;
    this.#objects = objects;
  }

  /** Tells what is there as initial adds (from within a listener: as soon as that returns), then everything that follows. */
  add(listener: CacheListener<T>, resyncMs: number | undefined): () => void {
    const subscription: Subscription<T> = { listener, resyncMs, active: true, cancelResync: () => {} };
    this.#all = [...this.#all, subscription];
    if (this.#running) this.#scheduleResync(subscription);
    this.#tell(
      this.#objects().map((object) => ({ type: "added", object, initial: true })),
      [subscription],
    );
    return () => {
      subscription.active = false;
      subscription.cancelResync();
      this.#all = this.#all.filter((other) => other !== subscription);
    };
  }

  tell(changes: readonly CacheChange<T>[]): void {
    this.#tell(changes, this.#all);
  }

  #tell(changes: readonly CacheChange<T>[], to: readonly Subscription<T>[]): void {
    for (const change of changes) this.#waiting.push({ change, to });
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let next = 0; next < this.#waiting.length; next++) {
        const waiting = this.#waiting[next]!;
        for (const subscription of waiting.to) this.#call(subscription, waiting.change);
      }
    } finally {
      this.#waiting.length = 0;
      this.#telling = false;
    }
  }

  /** Begins to resync those that asked for it. */
  start(): void {
    this.#running = true;
    for (const subscription of this.#all) this.#scheduleResync(subscription);
  }

  stop(): void {
    this.#running = false;
    for (const subscription of this.#all) subscription.cancelResync();
  }

  /** Within a tenth of the period, so that those of many processes and kinds do not come together. */
  #scheduleResync(subscription: Subscription<T>): void {
    if (subscription.resyncMs === undefined) return;
    const ms = subscription.resyncMs * (0.9 + 0.2 * randomFraction(this.#options.random));
    subscription.cancelResync();
    subscription.cancelResync = this.#options.clock.timer(ms, () => {
      this.#tell(
        this.#objects().map((object) => ({ type: "resynced", object })),
        [subscription],
      );
      if (subscription.active && this.#running) this.#scheduleResync(subscription);
    });
  }

  #call(subscription: Subscription<T>, change: CacheChange<T>): void {
    if (!subscription.active) return;
    try {
      subscription.listener(change);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }
}
