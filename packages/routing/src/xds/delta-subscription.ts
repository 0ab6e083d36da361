import { deltaAnswer } from "./answer-bytes.ts";
import { Bits } from "./bits.ts";
import type { Resource } from "./resource.ts";
import type { ResourceType } from "./resource-types.ts";
import { TYPE_URLS, WHOLE_TYPES } from "./resource-types.ts";
import { TooFarBehindError, TooManyNamesError } from "./subscription.ts";
import type { Reach, Subscription, Verdict } from "./subscription.ts";
import type { TypedResources } from "./typed-resources.ts";

/** The parts of a `DeltaDiscoveryRequest` that concern a subscription. */
export interface DeltaAsk {
  readonly subscribe: readonly string[];
  readonly unsubscribe: readonly string[];
  /** What the client has from before; of the first request only. */
  readonly initialVersions: ReadonlyMap<string, string>;
  readonly nonce: string;
  readonly error: string | undefined;
}

const EVERYTHING = "*";
/** A refusal is of a whole answer, and large ones hold others up. */
const MOST_BYTES = 1024 * 1024;

/** One type on an incremental stream. */
export class DeltaSubscription implements Subscription {
  readonly #type: ResourceType;
  readonly #resources: TypedResources;
  readonly #names = new Bits();
  /** To be sent, whether it is there or not. */
  readonly #owed = new Set<number>();
  /** Went, but the client is not to know yet. */
  readonly #withheld = new Set<number>();
  #everything = false;
  #isFirst = true;
  #wasAnswered = false;
  #isAsked = false;
  #seen = 0;
  #settled = 0;
  #waiting: { readonly nonce: string; readonly resources: readonly Resource[] } | undefined;

  constructor(type: ResourceType, resources: TypedResources) {
    this.#type = type;
    this.#resources = resources;
  }

  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  get isAsked(): boolean {
    return this.#isAsked;
  }

  get settledThrough(): number {
    return this.#settled;
  }

  isSettled(generation: number): boolean {
    return (
      this.#waiting === undefined && this.#seen === generation && this.#owed.size === 0 && this.#withheld.size === 0
    );
  }

  wants(name: string): boolean {
    const id = this.#resources.idOf(name);
    return this.#everything || (id !== undefined && this.#names.has(id));
  }

  /** Takes a request. Subscriptions change even when the nonce is an old one. */
  take(ask: DeltaAsk, generation: number): Verdict | undefined {
    const verdict = this.#settle(ask);
    if (this.#isFirst) this.#begin(ask, generation);
    else {
      for (const name of ask.subscribe) this.#subscribe(name, undefined);
      for (const name of ask.unsubscribe) this.#unsubscribe(name);
    }
    return verdict;
  }

  next({ generation, removalsThrough, nonce }: Reach): Uint8Array | undefined {
    if (this.#waiting !== undefined) return undefined;
    this.#look(generation, removalsThrough);
    this.#isAsked = false;
    // Who asks for everything waits to be told that there is nothing.
    const isFirstOfAll = this.#everything && !this.#wasAnswered;
    if (this.#owed.size === 0 && !isFirstOfAll) {
      this.#settled = generation;
      return undefined;
    }
    const resources: Resource[] = [];
    const removed: string[] = [];
    let size = 0;
    for (const id of this.#owed) {
      if (size > MOST_BYTES) break;
      this.#owed.delete(id);
      const entry = this.#resources.at(id);
      if (entry?.resource === undefined) removed.push(entry?.name ?? "");
      else {
        resources.push(entry.resource);
        size += entry.resource.any.length;
      }
    }
    this.#waiting = { nonce, resources };
    this.#wasAnswered = true;
    const systemVersion = this.#resources.version;
    return deltaAnswer({ typeUrl: TYPE_URLS[this.#type], nonce, systemVersion, resources, removed });
  }

  #settle({ nonce, error }: DeltaAsk): Verdict | undefined {
    if (nonce === "" || nonce !== this.#waiting?.nonce) return undefined;
    const { resources } = this.#waiting;
    this.#waiting = undefined;
    if (this.#owed.size === 0) this.#settled = this.#seen;
    return { error, resources };
  }

  #begin({ subscribe, initialVersions }: DeltaAsk, generation: number): void {
    this.#isFirst = false;
    this.#isAsked = true;
    this.#seen = generation;
    if (subscribe.length === 0 && WHOLE_TYPES.has(this.#type)) this.#subscribe(EVERYTHING, initialVersions);
    for (const name of subscribe) this.#subscribe(name, initialVersions);
    for (const name of initialVersions.keys())
      if (this.wants(name) && this.#resources.get(name) === undefined) this.#owe(name);
  }

  /** `held`: what the client has already need not be sent again. Otherwise it is: it may have dropped it. */
  #subscribe(name: string, held: ReadonlyMap<string, string> | undefined): void {
    this.#isAsked = true;
    if (name === EVERYTHING) {
      this.#everything = true;
      for (const { id, resource } of this.#resources.live())
        if (held?.get(resource?.name ?? "") !== resource?.version) this.#owed.add(id);
      return;
    }
    const id = this.#resources.idOf(name);
    if (id === undefined) throw new TooManyNamesError();
    this.#names.add(id);
    if (held === undefined || held.get(name) !== this.#resources.get(name)?.version || !held.has(name)) this.#owe(name);
  }

  #unsubscribe(name: string): void {
    if (name === EVERYTHING) {
      this.#everything = false;
      return;
    }
    const id = this.#resources.idOf(name);
    if (id === undefined) return;
    this.#names.delete(id);
    this.#withheld.delete(id);
    if (this.#everything) this.#owe(name);
    else this.#owed.delete(id);
  }

  #owe(name: string): void {
    const id = this.#resources.idOf(name);
    if (id === undefined) throw new TooManyNamesError();
    this.#owed.add(id);
    this.#isAsked = true;
  }

  /** Finds what is new since it was looked last. */
  #look(generation: number, removalsThrough: number): void {
    for (const id of this.#withheld) {
      const entry = this.#resources.at(id);
      if (entry?.resource === undefined && (entry?.changedAt ?? 0) > removalsThrough) continue;
      this.#withheld.delete(id);
      this.#owed.add(id);
    }
    if (this.#seen === generation) return;
    const changed = this.#resources.since(this.#seen);
    if (changed === undefined) throw new TooFarBehindError();
    for (const { id, resource, changedAt } of changed) {
      if (!this.#everything && !this.#names.has(id)) continue;
      if (resource === undefined && changedAt > removalsThrough) this.#withheld.add(id);
      else this.#owed.add(id);
    }
    this.#seen = generation;
  }
}
