import { compareResourceVersions, formatGroupResource, formatGroupVersion, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { Client } from "../client/client.ts";
import type { Log, Metrics } from "@gatewright/telemetry";
import { cachedForm } from "./cached-form.ts";
import type { CacheTransform } from "./cached-form.ts";
import { scopeText, standingIn } from "./cache-scope.ts";
import type {
  CacheChange,
  CacheListener,
  CacheScope,
  IndexFunction,
  Informer,
  InformerHealth,
  SubscribeOptions,
} from "./informer.ts";
import { informerMetrics } from "./informer-metrics.ts";
import type { InformerMetrics } from "./informer-metrics.ts";
import { ObjectStore } from "./object-store.ts";
import { OwnWrites } from "./own-writes.ts";
import { Reflector } from "./reflector.ts";
import type { ReflectorSink } from "./reflector.ts";
import { problemOf } from "./reflector-state.ts";
import type { ObjectEvent } from "./reflector-state.ts";
import { Subscriptions } from "./subscriptions.ts";

/** What informers share. */
export interface InformerDeps {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly watchList: boolean;
  readonly keepManagedFields: boolean;
  readonly transform: CacheTransform | undefined;
}

/** One watch of a kind and scope, the objects it has seen and who listens. */
export class SharedInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: Resource<T>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #namespace: string | undefined;
  readonly #metrics: InformerMetrics;
  readonly #form: (object: Immutable<T>) => Immutable<T>;
  readonly #standing: ReturnType<typeof standingIn>;
  readonly #accepted: ReadonlySet<string>;
  readonly #store: ObjectStore<T>;
  readonly #subscriptions: Subscriptions<T>;
  readonly #reflector: Reflector<T>;
  /** None where objects are transformed, which happens to each once. */
  readonly #ownWrites: OwnWrites<T> | undefined;
  readonly #waiters = new Set<() => void>();
  #synced = false;
  #startedAt: number | undefined;

  constructor(resource: Resource<T>, scope: CacheScope, deps: InformerDeps) {
    const name = formatGroupResource({ group: resource.group, resource: resource.plural });
    this.resource = resource;
    this.#clock = deps.clock;
    this.#namespace = scope.namespace === "" ? undefined : scope.namespace;
    this.#log = deps.log.with({ resource: name, ...(scopeText(scope) !== "" && { scope: scopeText(scope) }) });
    this.#metrics = informerMetrics(deps.metrics, [name, scopeText(scope)], {
      objects: () => this.#store.size,
      silentMs: () => this.#silentMs(),
    });
    this.#form = cachedForm(resource, {
      metadataOnly: scope.metadataOnly === true,
      keepManagedFields: deps.keepManagedFields,
      transform: deps.transform,
      onFailure: (object, error) => this.#failed("transform", { key: keyOf(object), error }),
    });
    this.#standing = standingIn(scope);
    this.#accepted = new Set([
      kindName(formatGroupVersion(resource), resource.kind),
      // Items of lists may say nothing of their kind.
      kindName(undefined, undefined),
      ...(scope.metadataOnly === true ? [kindName("meta.k8s.io/v1", "PartialObjectMetadata")] : []),
    ]);
    this.#ownWrites = deps.transform === undefined ? new OwnWrites() : undefined;
    this.#store = new ObjectStore((index, key, error) => this.#failed("index", { index, key, error }));
    this.#subscriptions = new Subscriptions(
      { clock: deps.clock, random: deps.random, onFailure: (error) => this.#failed("listener", { error }) },
      () => this.#store.list(),
    );
    const options = { scope, clock: deps.clock, random: deps.random, log: this.#log, watchList: deps.watchList };
    this.#reflector = new Reflector({ ...options, client: deps.client.for(resource) }, this.#sink());
  }

  get synced(): boolean {
    return this.#synced;
  }

  whenSynced(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#synced) return resolve();
      if (signal.aborted) return reject(signal.reason);
      const abort = (): void => {
        this.#waiters.delete(done);
        reject(signal.reason);
      };
      const done = (): void => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      this.#waiters.add(done);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  get(ref: ObjectRef | ObjectKey): Immutable<T> | undefined {
    return this.#store.get(typeof ref === "string" ? ref : keyOf(ref));
  }

  list(
    filter: { readonly namespace?: string; readonly labels?: Readonly<Record<string, string>> } = {},
  ): readonly Immutable<T>[] {
    const wanted = Object.entries(filter.labels ?? {});
    const objects = this.#store.list(filter.namespace);
    return wanted.length === 0 ? objects : objects.filter((object) => hasLabels(object, wanted));
  }

  byIndex(index: string, value: string): readonly Immutable<T>[] {
    return this.#store.byIndex(index, value);
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    this.#store.addIndex(name, index);
  }

  subscribe(listener: CacheListener<T>, options: SubscribeOptions = {}): () => void {
    return this.#subscriptions.add(listener, options.resyncMs);
  }

  health(): InformerHealth {
    const { state } = this.#reflector;
    return {
      resource: this.resource,
      synced: this.#synced,
      silentMs: this.#silentMs(),
      objects: this.#store.size,
      resourceVersion: state.memory.resourceVersion,
      problem: this.#startedAt === undefined ? "not started" : problemOf(state, this.#clock.monotonic()),
    };
  }

  /** Runs until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    this.#startedAt = this.#clock.monotonic();
    this.#subscriptions.start();
    await this.#reflector.run(signal);
    this.#subscriptions.stop();
  }

  /** An own write was acknowledged, perhaps late: what the watch has passed already is in the store, or is gone again. */
  wrote(object: Immutable<T>): void {
    if (!this.#accepted.has(kindName(object.apiVersion, object.kind)) || this.#isPast(object)) return;
    const standing = this.#standing(object);
    if (standing === "elsewhere") return;
    const kept = this.#form(object);
    const changes = standing === "inside" ? this.#store.put(kept) : this.#store.delete(kept);
    if (standing === "inside" && changes.length > 0) this.#ownWrites?.add(kept);
    this.#tell(changes);
  }

  /** The server said that an object is gone. */
  removed(ref: ObjectRef, uid: string | undefined): void {
    if (this.#namespace !== undefined && ref.namespace !== this.#namespace) return;
    if (uid !== undefined && uid !== "") this.#tell(this.#store.removed(keyOf(ref), uid));
  }

  #sink(): ReflectorSink<T> {
    return {
      listing: () => this.#metrics.list(),
      known: (resourceVersion) => this.#ownWrites?.at(resourceVersion),
      form: this.#form,
      accepts: (object) => {
        const accepted = this.#accepted.has(kindName(object.apiVersion, object.kind));
        if (!accepted) {
          this.#metrics.wrongKind();
          this.#log.error("The server sent an object of another kind", {
            apiVersion: object.apiVersion,
            kind: object.kind,
          });
        }
        return accepted;
      },
      apply: (event) => this.#apply(event),
      ignore: () => this.#metrics.staleEvent(),
      replace: (objects, resourceVersion, anew) => {
        this.#ownWrites?.clear();
        this.#tell(this.#store.replace(objects, resourceVersion, anew));
        if (!this.#synced) this.#log.info("Cache synced", { objects: this.#store.size, resourceVersion });
        this.#synced = true;
        for (const done of this.#waiters) done();
        this.#waiters.clear();
      },
    };
  }

  #apply(event: ObjectEvent<T>): void {
    this.#metrics.event(event.type);
    this.#ownWrites?.seen(event.object);
    const object = this.#form(event.object);
    this.#tell(event.type === "DELETED" ? this.#store.delete(object) : this.#store.put(object));
  }

  /** Whether the state that the store holds whole is at least as new as this version. */
  #isPast({ metadata }: Immutable<T>): boolean {
    const { resourceVersion } = this.#reflector.state.memory;
    if (!this.#synced || resourceVersion === undefined) return false;
    return (compareResourceVersions(metadata.resourceVersion ?? "", resourceVersion) ?? 1) <= 0;
  }

  #tell(changes: readonly CacheChange<T>[]): void {
    if (changes.length > 0) this.#subscriptions.tell(changes);
  }

  #silentMs(): number {
    const since = this.#reflector.heardAt ?? this.#startedAt;
    return since === undefined ? 0 : this.#clock.monotonic() - since;
  }

  #failed(of: "listener" | "index" | "transform", fields: Readonly<Record<string, unknown>>): void {
    this.#metrics.failure(of);
    this.#log.error("Code that the cache called threw", { of, ...fields });
  }
}

function kindName(apiVersion: string | undefined, kind: string | undefined): string {
  return `${apiVersion ?? ""} ${kind ?? ""}`;
}

function hasLabels(object: Immutable<ApiObject>, wanted: readonly (readonly [string, string])[]): boolean {
  const labels = object.metadata.labels ?? {};
  return wanted.every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value);
}
