import { keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";
import type {
  Cache,
  CacheChange,
  CacheListener,
  CacheReader,
  CacheScope,
  Informer,
  InformerHealth,
} from "../../cache/informer.ts";

/** An informer whose objects a test puts in by hand. */
export class FakeInformer<T extends ApiObject> implements Informer<T> {
  readonly resource: Resource<T>;
  readonly objects = new Map<ObjectKey, Immutable<T>>();
  readonly listeners = new Set<CacheListener<T>>();
  readonly indexes = new Map<string, unknown>();
  readonly #whenSynced = Promise.withResolvers<void>();
  synced = false;
  resyncMs: number | undefined;

  constructor(resource: Resource<T>) {
    this.resource = resource;
  }

  /** The list is whole. */
  sync(): void {
    this.synced = true;
    this.#whenSynced.resolve();
  }

  put(object: T): void {
    const previous = this.objects.get(keyOf(object));
    const shown = object as Immutable<T>;
    this.objects.set(keyOf(object), shown);
    const initial = !this.synced;
    this.#tell(
      previous === undefined ? { type: "added", object: shown, initial } : { type: "updated", object: shown, previous },
    );
  }

  delete(key: ObjectKey): void {
    const object = this.objects.get(key);
    this.objects.delete(key);
    if (object !== undefined) this.#tell({ type: "deleted", object, unseen: false });
  }

  resync(): void {
    for (const object of this.objects.values()) this.#tell({ type: "resynced", object });
  }

  #tell(change: CacheChange<T>): void {
    for (const listener of this.listeners) listener(change);
  }

  async whenSynced(signal: AbortSignal): Promise<void> {
    const stopped = new Promise<never>((_resolve, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason)),
    );
    await Promise.race([this.#whenSynced.promise, stopped]);
  }

  subscribe(listener: CacheListener<T>, options?: { readonly resyncMs?: number }): () => void {
    this.resyncMs = options?.resyncMs;
    this.listeners.add(listener);
    for (const object of this.objects.values()) listener({ type: "added", object, initial: true });
    return () => this.listeners.delete(listener);
  }

  addIndex(name: string, index: unknown): void {
    this.indexes.set(name, index);
  }

  get(ref: ObjectRef | ObjectKey): Immutable<T> | undefined {
    return this.objects.get(typeof ref === "string" ? ref : keyOf(ref));
  }

  list(): readonly Immutable<T>[] {
    return [...this.objects.values()];
  }

  byIndex(): ReturnType<CacheReader<T>["byIndex"]> {
    return [];
  }

  health(): InformerHealth {
    return {
      resource: this.resource,
      synced: this.synced,
      silentMs: 0,
      objects: this.objects.size,
      resourceVersion: undefined,
      problem: undefined,
    };
  }
}

/** A cache of such informers, one a kind. */
export class FakeCache implements Cache {
  readonly informers = new Map<string, FakeInformer<ApiObject>>();
  readonly scopes = new Map<string, CacheScope | undefined>();

  informer<T extends ApiObject>(resource: Resource<T>, scope?: CacheScope): FakeInformer<T> {
    const known = this.informers.get(resource.kind) ?? new FakeInformer<ApiObject>(resource);
    this.informers.set(resource.kind, known);
    this.scopes.set(resource.kind, scope);
    return known as unknown as FakeInformer<T>;
  }

  async run(): Promise<void> {}

  health(): readonly InformerHealth[] {
    return [...this.informers.values()].map((informer) => informer.health());
  }

  wrote(): void {}

  removed(): void {}
}
