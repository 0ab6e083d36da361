import type { Clock, Random } from "@gatewright/ports";
import { AwsCallError } from "../aws-call-error.ts";
import type { Route53Calls } from "../services/route53.ts";
import { Alarm } from "./alarm.ts";
import type { ChangeProgress } from "./change-progress.ts";
import { nextBatch } from "./next-batch.ts";
import { sizeOf } from "./order.ts";
import type { BatchSize, Order } from "./order.ts";
import { readNames } from "./read-names.ts";
import type { RecordSet } from "./record-set.ts";
import { sortOut } from "./sort-out.ts";
import type { Precedent, SentOrders } from "./sort-out.ts";
import { changesToWire } from "./wire-record.ts";

/** How a writer works. */
export interface WriterSettings {
  /** How long a first order waits for others, and the pause between two batches of a zone. */
  readonly flushMs: number;
  /** The longest that orders wait for others while batches follow one another. */
  readonly flushMostMs: number;
  readonly batch: BatchSize;
  /** How long trouble that passes is waited out before the orders are told. */
  readonly patienceMs: number;
}

/** Whom a writer tells. */
export interface WriterTells {
  /** A change of the zone was accepted. */
  accepted(changeId: string, orders: readonly Order[]): void;
  /** The zone has what these want, and nobody knows since when. */
  foundDone(orders: readonly Order[]): void;
  ended(order: Order, progress: ChangeProgress): void;
  /** What the zone has at names, read live. */
  learned(found: ReadonlyMap<string, readonly RecordSet[]>, begunAt: number): void;
}

interface WriterParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly calls: Route53Calls;
  readonly settings: WriterSettings;
  readonly tells: WriterTells;
}

/** Orders that are sent again as a batch of their own. */
interface Group extends SentOrders {
  readonly notBefore: number;
  readonly tries: number;
  /** When the trouble began, if there is any. */
  readonly since?: number;
}

const LONGEST_PAUSE_MS = 30_000;
const BY_ORDER: ReadonlySet<string> = new Set(["InvalidChangeBatch", "InvalidInput"]);

/** The one that changes a zone: batches in turn, one at a time. */
export class ZoneWriter {
  readonly #zoneId: string;
  readonly #parts: WriterParts;
  readonly #alarm: Alarm;
  #fresh: Order[] = [];
  /** Elements and characters of the new orders, to know when a batch is full. */
  #waiting: BatchSize = { elements: 0, characters: 0 };
  #groups: readonly Group[] = [];
  #flushAt = 0;
  #lastBatchAt = -Infinity;
  #windowMs = 0;
  #groupIsNext = false;
  #precedent: Precedent | undefined;

  constructor(zoneId: string, parts: WriterParts) {
    this.#zoneId = zoneId;
    this.#parts = parts;
    this.#alarm = new Alarm(parts.clock);
  }

  get idle(): boolean {
    return this.#fresh.length === 0 && this.#groups.length === 0;
  }

  add(order: Order): void {
    const { elements, characters } = sizeOf(order);
    const { batch } = this.#parts.settings;
    if (this.#fresh.length === 0) this.#openWindow();
    const before = this.#waiting;
    this.#waiting = { elements: before.elements + elements, characters: before.characters + characters };
    this.#fresh.push(order);
    const isFull = this.#waiting.elements > batch.elements || this.#waiting.characters > batch.characters;
    if (this.#fresh.length === 1 || isFull) this.#alarm.ring();
  }

  /** Sends batches until nothing is left to send. Rejects only as aborted; what was not sent stays. */
  async work(signal: AbortSignal): Promise<void> {
    while (!this.idle) {
      signal.throwIfAborted();
      const group = this.#nextGroup();
      if (typeof group === "number") await this.#alarm.wait(group, signal);
      else await this.#send(group, signal);
    }
  }

  /** Orders wait for others a little, and longer while batches follow one another: each costs a request now and some later. */
  #openWindow(): void {
    const { clock, settings } = this.#parts;
    const now = clock.monotonic();
    const busy = now - this.#lastBatchAt < 2 * settings.flushMostMs;
    this.#windowMs = busy ? Math.min(2 * this.#windowMs, settings.flushMostMs) : settings.flushMs;
    this.#flushAt = now + this.#windowMs;
  }

  /** What to send now, or how long to wait. Groups and new orders take turns, so that neither holds back the other. */
  #nextGroup(): Group | number {
    const { clock, settings } = this.#parts;
    const now = clock.monotonic();
    const pauseEnds = this.#lastBatchAt + settings.flushMs;
    if (now < pauseEnds) return pauseEnds - now;
    const ready = this.#groups.find(({ notBefore }) => notBefore <= now);
    const ahead = this.#groups.flatMap(({ orders }) => orders);
    const { batch, later, full } = nextBatch(this.#fresh, ahead, settings.batch);
    const due = batch.length > 0 && (full || now >= this.#flushAt);
    if (ready !== undefined && (this.#groupIsNext || !due)) {
      this.#groupIsNext = false;
      this.#groups = this.#groups.filter((group) => group !== ready);
      return ready;
    }
    if (due) {
      this.#groupIsNext = true;
      this.#fresh = [...later];
      this.#waiting = totalOf(later);
      if (later.length > 0) this.#openWindow();
      return { orders: batch, unsure: false, notBefore: now, tries: 0 };
    }
    const moments = this.#groups.map(({ notBefore }) => notBefore);
    if (batch.length > 0) moments.push(this.#flushAt);
    return Math.min(...moments) - now;
  }

  async #send(group: Group, signal: AbortSignal): Promise<void> {
    const { clock, calls, tells } = this.#parts;
    const { orders } = group;
    const Changes = orders.flatMap(({ left }) => left.flatMap(changesToWire));
    try {
      const { ChangeInfo } = await calls.changeResourceRecordSets(
        { HostedZoneId: this.#zoneId, ChangeBatch: { Changes } },
        { signal },
      );
      this.#lastBatchAt = clock.monotonic();
      tells.accepted(ChangeInfo.Id, orders);
    } catch (error) {
      // Kept first: who stops in the middle must not forget what may have been sent.
      this.#groups = [...this.#groups, group];
      signal.throwIfAborted();
      await this.#failed(group, error, signal);
    }
  }

  /** What becomes of a group that was sent and not accepted. It is still among the groups. */
  async #failed(group: Group, error: unknown, signal: AbortSignal): Promise<void> {
    const { tells } = this.#parts;
    const drop = (): void => void (this.#groups = this.#groups.filter((each) => each !== group));
    if (!(error instanceof AwsCallError) || isPassing(error)) {
      drop();
      this.#again(group, error);
      return;
    }
    if (!BY_ORDER.has(error.code)) {
      drop();
      for (const order of group.orders) tells.ended(order, { state: "failed", error });
      return;
    }
    const { code, said } = error;
    const tools = { read: (names: readonly string[]) => this.#read(names, signal), precedent: this.#precedent };
    try {
      const sorted = await sortOut(group, said, tools);
      drop();
      this.#precedent = sorted.precedent ?? this.#precedent;
      tells.foundDone(sorted.done);
      for (const { order, ...rest } of sorted.refused) tells.ended(order, { state: "refused", code, ...rest });
      const now = this.#parts.clock.monotonic();
      const groups = sorted.groups.map((orders) => ({ orders, unsure: false, notBefore: now, tries: 0 }));
      this.#groups = [...groups, ...this.#groups];
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AwsCallError)) throw failure;
      drop();
      this.#again(group, failure);
    }
  }

  async #read(
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly RecordSet[]> | undefined> {
    const begunAt = this.#parts.clock.monotonic();
    try {
      const found = await readNames(this.#parts.calls, this.#zoneId, names, signal);
      this.#parts.tells.learned(found, begunAt);
      return found;
    } catch (error) {
      if (error instanceof AwsCallError && error.code === "InvalidInput") return undefined;
      throw error;
    }
  }

  /** Trouble that passes, or an answer that did not come: the same again does no harm, since nothing is ever overwritten. */
  #again(group: Group, error: unknown): void {
    const { clock, settings, tells } = this.#parts;
    const now = clock.monotonic();
    const { since = now } = group;
    if (error instanceof AwsCallError && now - since >= settings.patienceMs) {
      for (const order of group.orders) tells.ended(order, { state: "failed", error });
      return;
    }
    const pause = Math.min(1_000 * 2 ** group.tries, LONGEST_PAUSE_MS) * (0.5 + 0.5 * this.#fraction());
    const unsure = group.unsure || (error instanceof AwsCallError && error.kind === "unknown");
    this.#groups = [...this.#groups, { ...group, unsure, since, notBefore: now + pause, tries: group.tries + 1 }];
  }

  #fraction(): number {
    return (this.#parts.random.bytes(1)[0] ?? 0) / 255;
  }
}

function totalOf(orders: readonly Order[]): BatchSize {
  let total = { elements: 0, characters: 0 };
  for (const order of orders) {
    const { elements, characters } = sizeOf(order);
    total = { elements: total.elements + elements, characters: total.characters + characters };
  }
  return total;
}

function isPassing({ kind }: AwsCallError): boolean {
  return kind === "throttled" || kind === "retry" || kind === "unknown";
}
