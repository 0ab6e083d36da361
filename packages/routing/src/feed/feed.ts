import type { ApiObject, Immutable } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { aborted, nextTurn, sleep } from "@gatewright/ports";
import { OBJECT_KINDS } from "@gatewright/gateway";
import { caughtUp } from "@gatewright/runtime";
import type { Cache, Client, HealthCheck, Informer, Log, Metrics, Runnable } from "@gatewright/runtime";
import type { SourceKey, SourceRef } from "../model/deliverable.ts";
import { sourceKey } from "../model/deliverable.ts";
import type { MutableCatalogue } from "../model/mutable-catalogue.ts";
import { clusterSurroundings, SURROUNDING_KINDS } from "./cluster-surroundings.ts";
import type { ClusterSurroundings } from "./cluster-surroundings.ts";
import { Dependents } from "./dependents.ts";
import { addFeedMetrics } from "./feed-metrics.ts";
import type { FeedSettings } from "./feed-settings.ts";
import type { FeedSource } from "./feed-source.ts";
import { kindSource } from "./feed-source.ts";
import { Moments } from "./moments.ts";
import { CONTENT_KINDS, FetchedContents } from "./fetched-contents.ts";
import { KnownGrants } from "./known-grants.ts";
import type { Prepared, Source } from "./prepared-source.ts";
import { prepareSource } from "./prepared-source.ts";
import { ServiceBackends } from "./service-backends.ts";
import type { SourceReport } from "./source-report.ts";
import { Standings } from "./standings.ts";
import type { Fallback } from "./standings.ts";
import type { Dependency, Surroundings } from "./surroundings.ts";
import { observed } from "./surroundings.ts";

export interface FeedOptions {
  readonly cache: Cache;
  /** Reads Secrets and ConfigMaps that objects refer to. Not held back by the lease. */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalogue: MutableCatalogue;
  readonly settings: FeedSettings;
  readonly metrics?: Metrics;
  /** Kinds besides the six: Ingresses. */
  readonly sources?: readonly FeedSource[];
}

/** How many objects are looked at before others get a turn. */
const AT_ONCE = 25;
/** How long the first delivery waits for what objects refer to. */
const FIRST_WAIT_MS = 10_000;
const LOOK_MS = 50;

/**
 * The cluster's objects to what gateways are to have, on every replica. An edit costs what it touches. What is wrong with one object
 * keeps that one out and no other; what was good of it before stays.
 */
export class Feed implements Runnable {
  readonly name = "routing-feed";
  readonly when = "always";
  readonly settings: FeedSettings;
  readonly surroundings: ClusterSurroundings;
  readonly standings: Standings;
  readonly #options: FeedOptions;
  readonly #sources: ReadonlyMap<string, { readonly source: FeedSource; readonly informer: Informer<ApiObject> }>;
  readonly #contents: FetchedContents;
  readonly #grants: KnownGrants;
  readonly #dependents = new Dependents();
  readonly #services: ServiceBackends;
  readonly #dirty = new Set<SourceKey>();
  readonly #listeners = new Set<(changed: ReadonlySet<SourceKey>) => void>();
  readonly #moments: Moments;
  /** Of each object the last version that something could be made of: the one in the cache, unless that is wrong. */
  readonly #good = new Map<SourceKey, Immutable<ApiObject>>();
  #wake: () => void = () => {};

  constructor(options: FeedOptions) {
    const { cache, client, clock, log, catalogue, settings } = options;
    this.#options = options;
    this.settings = settings;
    const sources = [...OBJECT_KINDS.map(kindSource), ...(options.sources ?? [])];
    this.#sources = new Map(
      sources.map((source) => [source.kind, { source, informer: cache.informer(source.resource, source.scope) }]),
    );
    this.#moments = new Moments(clock, (key) => this.#mark(key));
    const changed = (dependency: Dependency): void => this.#changed(dependency);
    this.#contents = new FetchedContents({ cache, client, clock, log, changed });
    this.#grants = new KnownGrants({ cache, client, clock, log });
    this.surroundings = clusterSurroundings(cache, this.#contents, this.#grants, settings);
    this.#services = new ServiceBackends({
      catalogue,
      around: this.surroundings,
      dependents: this.#dependents,
      settings,
    });
    this.standings = new Standings(catalogue, this.#services);
    const kinds = sources.map(({ kind }) => kind);
    if (options.metrics !== undefined) addFeedMetrics(options.metrics, kinds, this);
  }

  /** Whether all that was there at the start was looked at: before, nothing can be said about what others have. */
  get isReady(): boolean {
    return this.#options.catalogue.complete;
  }

  /** For readiness: gateways and API servers should ask another replica. */
  get check(): HealthCheck {
    return {
      name: this.name,
      for: "ready",
      problem: () => (this.isReady ? undefined : "objects that gateways are configured with are still being read"),
    };
  }

  /** What there is to say about an object; undefined: it was not looked at yet, or is gone. */
  report(key: SourceKey): SourceReport | undefined {
    return this.standings.report(key);
  }

  /** All objects that were looked at and are there. */
  sources(): Iterable<SourceRef> {
    return this.standings.sources();
  }

  /** Told which objects there may be something new to say about. At once; must not throw. */
  subscribe(listener: (changed: ReadonlySet<SourceKey>) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads an object of a kind as it says what is to be delivered: what admission does with one that is not stored yet. */
  sourceOf(kind: string, object: Immutable<ApiObject>, around: Surroundings): Source | undefined {
    const source = this.#sources.get(kind)?.source;
    if (source === undefined) return undefined;
    const { namespace = "", name = "", generation = 0, creationTimestamp, labels = {} } = object.metadata;
    return {
      ref: { kind: source.kind, namespace, name },
      generation,
      createdAt: creationTimestamp ?? "",
      labels,
      ...source.drafts(object, around),
    };
  }

  /** The surroundings for who looks at an object that may never be: nothing is read for it, and nothing is kept. */
  get peeking(): Surroundings {
    return { ...this.surroundings, contents: (...which) => this.#contents.peek(...which) };
  }

  /**
   * Resolves when all that the server had when this was called is looked at: whoever served before may have known more than this
   * process. What cannot be read is not waited for without end.
   */
  async caughtUp(signal: AbortSignal): Promise<void> {
    const { cache, client, clock } = this.#options;
    const kinds = [
      ...Array.from(this.#sources.values(), ({ source: { resource, scope } }) => ({ resource, scope })),
      ...SURROUNDING_KINDS,
      ...CONTENT_KINDS,
      ...this.#grants.kinds,
    ];
    await caughtUp({ cache, client, clock, kinds }, signal);
    const until = clock.monotonic() + FIRST_WAIT_MS;
    const isBusy = (): boolean => this.#dirty.size > 0 || this.#contents.isReading || !this.isReady;
    while (isBusy() && clock.monotonic() < until) await sleep(clock, LOOK_MS, signal);
  }

  async run(signal: AbortSignal): Promise<void> {
    const stops: (() => void)[] = [];
    try {
      this.#contents.start(signal);
      for (const { source, informer } of this.#sources.values()) stops.push(this.#follow(source, informer));
      stops.push(this.surroundings.subscribe((dependency) => this.#changed(dependency)));
      await Promise.all([
        this.#contents.whenSynced(signal),
        this.surroundings.whenSynced(signal),
        ...Array.from(this.#sources.values(), ({ informer }) => informer.whenSynced(signal)),
      ]);
      await Promise.all([this.#work(signal), this.#learnGrants(signal)]);
    } finally {
      for (const stop of stops) stop();
      this.#moments.clear();
    }
  }

  async #learnGrants(signal: AbortSignal): Promise<void> {
    if (this.settings.crossNamespace === "allow") return;
    const again = (): void => {
      for (const key of this.#dependents.ofKind("ReferenceGrant")) this.#mark(key);
    };
    try {
      await this.#grants.run((dependency) => this.#changed(dependency), again, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { catalogue, clock } = this.#options;
    const until = clock.monotonic() + FIRST_WAIT_MS;
    const cancel = clock.timer(FIRST_WAIT_MS, () => this.#wake());
    const stopped = aborted(signal);
    while (!signal.aborted) {
      await this.#drain(signal);
      if (!catalogue.complete && (this.standings.waiting === 0 || clock.monotonic() >= until)) catalogue.completed();
      if (this.#dirty.size > 0 || signal.aborted) continue;
      await Promise.race([stopped, new Promise<void>((resolve) => void (this.#wake = resolve))]);
    }
    cancel();
  }

  async #drain(signal: AbortSignal): Promise<void> {
    let count = 0;
    for (const key of this.#dirty) {
      if (signal.aborted) return;
      this.#dirty.delete(key);
      const changed = this.#look(key);
      if (changed.size > 0) for (const listener of this.#listeners) listener(changed);
      if (++count % AT_ONCE === 0) await nextTurn();
    }
  }

  /** Looks at one object anew. Returns whose reports may have changed. */
  #look(key: SourceKey): ReadonlySet<SourceKey> {
    if (this.#services.has(key)) {
      this.#services.refresh(key);
      return new Set();
    }
    const object = this.#objectOf(key);
    if (object === undefined && this.#isNeeded(key) && this.#moments.lasts(key)) return new Set();
    const seen = new Set<Dependency>();
    const around = observed(this.surroundings, seen);
    const kind = key.slice(0, key.indexOf(" "));
    const source = object && this.sourceOf(kind, object, around);
    const changed =
      object === undefined || source === undefined ? this.#drop(key) : this.#stand(key, object, source, around);
    const serving = this.report(key)?.serving;
    // What serves on needs what it was made of.
    if (serving !== undefined && serving !== source?.generation)
      for (const one of this.#dependents.of(key)) seen.add(one);
    for (const left of this.#dependents.set(key, seen)) this.#contents.forget(left);
    return changed;
  }

  #drop(key: SourceKey): ReadonlySet<SourceKey> {
    this.#moments.forget(key);
    this.#good.delete(key);
    return this.standings.remove(key);
  }

  #stand(key: SourceKey, object: Immutable<ApiObject>, source: Source, around: Surroundings): ReadonlySet<SourceKey> {
    const prepared = prepareSource(source, around, this.settings);
    const waits = this.#isEarly(key, source, prepared) && this.#moments.lasts(key);
    if (!waits) this.#moments.forget(key);
    if (!waits && prepared.candidate !== undefined) {
      this.#good.set(key, object);
      return this.standings.set(source, prepared);
    }
    const standing = waits ? { ...prepared, candidate: undefined, waiting: true } : prepared;
    return this.standings.set(source, standing, this.#lastGood(key, source, prepared, around));
  }

  /**
   * What was good of an object, as it is now: what it refers to may have changed since. What another namespace no longer grants does not
   * serve on, and neither does what was good before this process began, of which nobody knows what it led to.
   */
  #lastGood(key: SourceKey, { ref, generation, createdAt }: Source, now: Prepared, around: Surroundings): Fallback {
    const good = this.#good.get(key);
    const before =
      good === undefined || good.metadata.generation === generation ? undefined : this.sourceOf(ref.kind, good, around);
    if (before === undefined || before.createdAt !== createdAt) return isForbidden(now) ? "nothing" : "as it serves";
    const prepared = prepareSource(before, around, this.settings);
    return prepared.candidate ?? (isForbidden(prepared) ? "nothing" : "as it serves");
  }

  /** Whether others look at something that is delivered. */
  #isNeeded(key: SourceKey): boolean {
    const [user] = this.#dependents.on(key);
    return user !== undefined && this.standings.report(key)?.serving !== undefined;
  }

  /** Whether an edit leads to a backend that nobody knows, while something good serves. */
  #isEarly(key: SourceKey, { generation }: Source, { problems }: Prepared): boolean {
    const serving = this.report(key)?.serving;
    return (
      serving !== undefined && serving !== generation && problems.some(({ reason }) => reason === "BackendMissing")
    );
  }

  /** Undefined: it is not there, or is going. */
  #objectOf(key: SourceKey): Immutable<ApiObject> | undefined {
    const space = key.indexOf(" ");
    const object = this.#sources.get(key.slice(0, space))?.informer.get(key.slice(space + 1));
    return object?.metadata.deletionTimestamp === undefined ? object : undefined;
  }

  #follow(source: FeedSource, informer: Informer<ApiObject>): () => void {
    return informer.subscribe((change) => {
      if (change.type === "resynced") return;
      if (change.type === "updated" && !source.matters(change.object, change.previous)) return;
      const { namespace = "", name = "" } = change.object.metadata;
      this.#mark(sourceKey({ kind: source.kind, namespace, name }));
    });
  }

  #changed(dependency: Dependency): void {
    for (const key of this.#dependents.on(dependency)) this.#mark(key);
  }

  #mark(key: SourceKey): void {
    this.#dirty.add(key);
    this.#wake();
  }
}

/** Whether it leads to something that another namespace does not grant. */
function isForbidden({ problems }: Prepared): boolean {
  return problems.some(({ reason }) => reason === "NotPermitted");
}
