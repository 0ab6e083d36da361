import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";

/**
 * A change of the cache, told when the cache already shows it. `initial`: part of the first list, or of a list made anew after the
 * watch was lost. A deletion that happened unseen is told with the last state that was known (`unseen`).
 */
export type CacheChange<T> =
  | { readonly type: "added"; readonly object: Immutable<T>; readonly initial: boolean }
  | { readonly type: "updated"; readonly object: Immutable<T>; readonly previous: Immutable<T> }
  | { readonly type: "resynced"; readonly object: Immutable<T> }
  | { readonly type: "deleted"; readonly object: Immutable<T>; readonly unseen: boolean };

/** Called at once and in order. Must not throw and must not wait: it puts keys into queues. */
export type CacheListener<T> = (change: CacheChange<T>) => void;

export interface SubscribeOptions {
  /** How often this listener is told every object anew as `resynced`, give or take a tenth. Default: never. */
  readonly resyncMs?: number;
}

/** The values under which an index files an object: none, one or several. Pure, and called once for each version. */
export type IndexFunction<T> = (object: Immutable<T>) => readonly string[];

/** Cached objects of one kind. Everything it returns is frozen and shared. Reads see this process's own writes at once. */
export interface CacheReader<T extends ApiObject> {
  get(ref: ObjectRef | ObjectKey): Immutable<T> | undefined;
  /** In the order of keys. */
  list(filter?: {
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  }): readonly Immutable<T>[];
  /** Objects that an index files under a value. Throws when there is no such index. */
  byIndex(index: string, value: string): readonly Immutable<T>[];
}

/** What is watched of a kind. Informers with equal scopes are shared. */
export interface CacheScope {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Keep metadata alone: a tenth of the memory for kinds that only trigger. */
  readonly metadataOnly?: boolean;
}

/** How an informer stands, for health and metrics. */
export interface InformerHealth {
  readonly resource: Resource;
  readonly synced: boolean;
  /** Milliseconds since the server was last heard: an event, a bookmark or a list. */
  readonly silentMs: number;
  readonly objects: number;
  readonly resourceVersion: string | undefined;
  /** Why the watch is not up, when it is not. */
  readonly problem: string | undefined;
}

/** A shared watch of a kind and the objects it has seen. */
export interface Informer<T extends ApiObject> extends CacheReader<T> {
  readonly resource: Resource<T>;
  /** Whether a whole list is in the cache. Never turns false again: an old cache serves while the watch is being repaired. */
  readonly synced: boolean;
  whenSynced(signal: AbortSignal): Promise<void>;
  /**
   * Objects that are there already are told as initial adds before this returns. Returns how to stop listening. Own writes are told
   * when the server has acknowledged them; their echo by the watch is not told again.
   */
  subscribe(listener: CacheListener<T>, options?: SubscribeOptions): () => void;
  /** Adds an index, also after the start. An index of that name with another function is refused. */
  addIndex(name: string, index: IndexFunction<T>): void;
  health(): InformerHealth;
}

/** What this process wrote, told to the cache by its client so that reads never go back behind it. */
export interface WriteObserver {
  wrote(resource: Resource, object: Immutable<ApiObject>): void;
  /** The server said that this object is gone. Without a uid nothing is hidden: the name may have been taken anew already. */
  removed(resource: Resource, ref: ObjectRef, uid: string | undefined): void;
}

/** All informers of a process. */
export interface Cache extends WriteObserver {
  /** The informer of a kind and scope, made when first asked for; it starts with (or after) `run`. */
  informer<T extends ApiObject>(resource: Resource<T>, scope?: CacheScope): Informer<T>;
  /** Runs every informer until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  health(): readonly InformerHealth[];
}
