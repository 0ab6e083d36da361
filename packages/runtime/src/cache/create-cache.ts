import { groupVersionPath } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import { aborted, systemClock, systemRandom } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Client } from "../client/client.ts";
import { quietLog } from "@gatewright/telemetry";
import type { Log, Metrics } from "@gatewright/telemetry";
import type { CacheTransform } from "./cached-form.ts";
import { scopeKey } from "./cache-scope.ts";
import type { Cache, CacheScope, Informer, InformerHealth } from "./informer.ts";
import { SharedInformer } from "./shared-informer.ts";
import type { InformerDeps } from "./shared-informer.ts";

export interface CacheOptions {
  readonly client: Client;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  readonly metrics?: Metrics;
  /** Changes what is kept of every object, to save memory. If it throws for an object, that one is kept whole. */
  readonly transform?: CacheTransform;
  /** Default: false. They are more than half of many objects, and nobody reads them from a cache. */
  readonly keepManagedFields?: boolean;
  /** Ask for lists as streams of events where the server can. Default: true. */
  readonly watchList?: boolean;
}

/** Makes the informers of a process. Nothing is asked of the server before `run`. */
export function createCache(options: CacheOptions): Cache {
  return new InformerRegistry({
    client: options.client,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    log: options.log ?? quietLog,
    metrics: options.metrics,
    watchList: options.watchList ?? true,
    keepManagedFields: options.keepManagedFields ?? false,
    transform: options.transform,
  });
}

type Sharing = Map<string, SharedInformer<ApiObject>>;

class InformerRegistry implements Cache {
  readonly #deps: InformerDeps;
  /** By kind, then by scope. */
  readonly #kinds = new Map<string, Sharing>();
  #start: ((informer: SharedInformer<ApiObject>) => void) | undefined;

  constructor(deps: InformerDeps) {
    this.#deps = deps;
  }

  informer<T extends ApiObject>(resource: Resource<T>, scope: CacheScope = {}): Informer<T> {
    const sharing = this.#sharing(resource);
    const key = scopeKey(scope);
    let informer = sharing.get(key);
    if (informer === undefined) {
      // One map holds informers of all kinds: the key, which is the kind's, says what T is.
      informer = new SharedInformer(resource, scope, this.#deps) as unknown as SharedInformer<ApiObject>;
      sharing.set(key, informer);
      this.#start?.(informer);
    }
    return informer as unknown as Informer<T>;
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#start !== undefined) throw new TypeError("the cache runs already");
    const stopped = aborted(signal);
    const running = new Set<Promise<void>>();
    this.#start = (informer) => void running.add(informer.run(signal));
    for (const informer of this.#informers()) this.#start(informer);
    await stopped;
    this.#start = () => {};
    await Promise.all(running);
  }

  health(): readonly InformerHealth[] {
    return this.#informers().map((informer) => informer.health());
  }

  wrote(resource: Resource, object: Immutable<ApiObject>): void {
    for (const informer of this.#sharing(resource).values()) informer.wrote(object);
  }

  removed(resource: Resource, ref: ObjectRef, uid: string | undefined): void {
    for (const informer of this.#sharing(resource).values()) informer.removed(ref, uid);
  }

  #sharing(resource: Resource): Sharing {
    const kind = `${groupVersionPath(resource)}/${resource.plural}`;
    let sharing = this.#kinds.get(kind);
    if (sharing === undefined) this.#kinds.set(kind, (sharing = new Map()));
    return sharing;
  }

  #informers(): readonly SharedInformer<ApiObject>[] {
    return [...this.#kinds.values()].flatMap((sharing) => [...sharing.values()]);
  }
}
