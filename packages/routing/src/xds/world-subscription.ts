import { worldAnswer, worldBody } from "./answer-bytes.ts";
import { Bits } from "./bits.ts";
import type { Resource } from "./resource.ts";
import type { ResourceType } from "./resource-types.ts";
import { TYPE_URLS, WHOLE_TYPES } from "./resource-types.ts";
import { TooFarBehindError, TooManyNamesError } from "./subscription.ts";
import type { Reach, Subscription, Verdict } from "./subscription.ts";
import type { Entry, TypedResources } from "./typed-resources.ts";

/** The parts of a `DiscoveryRequest` that concern a subscription. */
export interface WorldAsk {
  /** All names that the client wants from now on. */
  readonly names: readonly string[];
  readonly nonce: string;
  readonly error: string | undefined;
}

const EVERYTHING = "*";

/** All resources of a type, encoded once for all streams that want all of them. */
const WHOLE = new WeakMap<TypedResources, { readonly version: string; readonly body: Uint8Array }>();

/** One type on a stream of the state of the world. */
export class WorldSubscription implements Subscription {
  readonly #type: ResourceType;
  readonly #resources: TypedResources;
  readonly #isWhole: boolean;
  readonly #names = new Bits();
  /** To be sent because it changed or is newly wanted. */
  readonly #owed = new Set<number>();
  /** Went, but the client is to keep it. */
  readonly #withheld = new Set<number>();
  #everything = false;
  #everNamed = false;
  #isAsked = false;
  #seen: number | undefined;
  #settled = 0;
  #nonce = "";
  #waiting: readonly Resource[] | undefined;

  constructor(type: ResourceType, resources: TypedResources) {
    this.#type = type;
    this.#resources = resources;
    this.#isWhole = WHOLE_TYPES.has(type);
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
      this.#waiting === undefined &&
      this.#seen === generation &&
      !this.#isAsked &&
      this.#owed.size === 0 &&
      this.#withheld.size === 0
    );
  }

  wants(name: string): boolean {
    const id = this.#resources.idOf(name);
    return id !== undefined && this.#wants(id);
  }

  /** Takes a request. One with an old nonce was overtaken by an answer and says nothing. */
  take({ names, nonce, error }: WorldAsk, generation: number): Verdict | undefined {
    if (this.#nonce !== "" && nonce !== this.#nonce) return undefined;
    const resources = this.#waiting;
    this.#waiting = undefined;
    this.#want(names, generation);
    if (resources === undefined) return undefined;
    if (!this.#isAsked) this.#settled = this.#seen ?? 0;
    return { error, resources };
  }

  next({ generation, removalsThrough, nonce }: Reach): Uint8Array | undefined {
    if (this.#waiting !== undefined) return undefined;
    const isNews = this.#look(generation, removalsThrough);
    if (!isNews && !(this.#isAsked && this.#isWhole) && this.#owed.size === 0) {
      this.#isAsked = false;
      this.#settled = generation;
      return undefined;
    }
    this.#isAsked = false;
    const { resources, body } = this.#isWhole ? this.#all() : this.#changed();
    this.#owed.clear();
    if (!this.#isWhole && resources.length === 0) {
      this.#settled = generation;
      return undefined;
    }
    this.#nonce = nonce;
    this.#waiting = resources;
    const version = this.#withheld.size === 0 ? this.#resources.version : `${this.#resources.version}-${generation}`;
    return worldAnswer({ typeUrl: TYPE_URLS[this.#type], nonce, version, body });
  }

  #wants(id: number): boolean {
    return this.#everything || this.#names.has(id);
  }

  /** The whole list of names counts. None means everything only as long as no name was ever given. */
  #want(names: readonly string[], generation: number): void {
    const isFirst = this.#seen === undefined;
    this.#seen ??= generation;
    if (names.length > 0) this.#everNamed = true;
    const everything = names.includes(EVERYTHING) || (names.length === 0 && !this.#everNamed && this.#isWhole);
    if (isFirst || (everything && !this.#everything)) this.#isAsked = true;
    this.#everything = everything;
    const before = new Set(this.#names);
    this.#names.clear();
    for (const name of names) {
      if (name === EVERYTHING) continue;
      const id = this.#resources.idOf(name);
      if (id === undefined) throw new TooManyNamesError();
      this.#names.add(id);
      if (before.delete(id)) continue;
      this.#isAsked = true;
      this.#owed.add(id);
    }
    for (const id of this.#withheld) if (!this.#wants(id)) this.#withheld.delete(id);
  }

  /** Finds what is new since it was looked last; true: a whole answer is due. */
  #look(generation: number, removalsThrough: number): boolean {
    let isNews = false;
    for (const id of this.#withheld) {
      const entry = this.#resources.at(id);
      if (entry?.resource === undefined && (entry?.changedAt ?? 0) > removalsThrough) continue;
      this.#withheld.delete(id);
      isNews = true;
    }
    if (this.#seen === undefined || this.#seen === generation) return isNews && this.#isWhole;
    const changed = this.#resources.since(this.#seen);
    if (changed === undefined) throw new TooFarBehindError();
    this.#seen = generation;
    for (const { id, resource, changedAt } of changed) {
      if (!this.#wants(id)) continue;
      if (resource !== undefined) this.#owed.add(id);
      else if (changedAt > removalsThrough) this.#withheld.add(id);
      else isNews = true;
    }
    return this.#isWhole && (isNews || this.#owed.size > 0);
  }

  /** All that is wanted, and what went but is to be kept: what is not in the answer, goes. */
  #all(): { readonly resources: readonly Resource[]; readonly body: Uint8Array } {
    const kept = Array.from(this.#withheld, (id) => this.#resources.at(id)?.last).filter((one) => one !== undefined);
    const live = Array.from(this.#everything ? this.#resources.live() : this.#named(), ({ resource }) => resource!);
    const resources = [...live, ...kept];
    if (!this.#everything || kept.length > 0) return { resources, body: worldBody(resources) };
    let whole = WHOLE.get(this.#resources);
    if (whole?.version !== this.#resources.version) {
      whole = { version: this.#resources.version, body: worldBody(resources) };
      WHOLE.set(this.#resources, whole);
    }
    return { resources, body: whole.body };
  }

  #changed(): { readonly resources: readonly Resource[]; readonly body: Uint8Array } {
    const resources = Array.from(this.#owed, (id) => this.#resources.at(id)?.resource).filter(
      (one) => one !== undefined,
    );
    return { resources, body: worldBody(resources) };
  }

  *#named(): Generator<Entry> {
    for (const id of this.#names) {
      const entry = this.#resources.at(id);
      if (entry?.resource !== undefined) yield entry;
    }
  }
}
