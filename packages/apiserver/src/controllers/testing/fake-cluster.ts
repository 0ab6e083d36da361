import { alreadyExists, conflict, deepClone, formatTime, notFound } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { Cluster, DeleteRequest } from "../../cluster.ts";
import { ResourceRegistry } from "../../resources/registry.ts";
import type { Resource } from "../../resources/resource.ts";
import { createMemoryStore } from "../../store/index.ts";
import type { Store, Table } from "../../store/index.ts";

const POLICY_FINALIZERS = { Background: [], Foreground: ["foregroundDeletion"], Orphan: ["orphan"] } as const;

/**
 * A cluster without handlers: objects are stored as they are given, with uid and resourceVersion, and deleted by the real
 * algorithm (finalizers, propagation policies, preconditions). Nothing is validated.
 */
export class FakeCluster implements Cluster {
  readonly store: Store;
  readonly resources = new ResourceRegistry();
  readonly #clock: Clock;
  /** Throws from writes when it returns an error: how a test makes them fail. */
  interfere: (verb: string, name: string) => Error | undefined = () => undefined;
  #uids = 0;

  constructor(clock: Clock, resources: readonly Resource[]) {
    this.#clock = clock;
    this.store = createMemoryStore({ clock });
    for (const resource of resources) this.resources.set(resource);
  }

  get(resource: GroupResource, namespace: string, name: string): KubeObject | undefined {
    const { table, key } = this.#at(resource, namespace, name);
    const entry = table.get(key);
    return entry && table.decode(entry);
  }

  *list(resource: GroupResource, namespace?: string): IterableIterator<KubeObject> {
    const { table } = this.#at(resource, "", "");
    for (const entry of table.snapshot().entries(namespace ? { prefix: `${namespace}/` } : {}))
      yield table.decode(entry);
  }

  async create(resource: GroupResource, given: KubeObject): Promise<KubeObject> {
    const { name = "", namespace = "" } = given.metadata;
    this.#interfered("create", name);
    const { table, key } = this.#at(resource, namespace, name);
    if (table.head(key)) throw alreadyExists(resource, name);
    const object = deepClone(given);
    object.metadata.uid ??= `uid-${++this.#uids}`;
    object.metadata.creationTimestamp ??= formatTime(this.#clock.now());
    return table.decode(await table.write({ key, expected: undefined, object: versioned(object) }));
  }

  async update(resource: GroupResource, given: KubeObject): Promise<KubeObject> {
    const { name = "", namespace = "", resourceVersion } = given.metadata;
    const written = await this.edit(resource, namespace, name, (object) => {
      if (resourceVersion !== undefined && object.metadata.resourceVersion !== resourceVersion) {
        throw conflict(resource, name, "the object has been modified");
      }
      Object.assign(object, deepClone(given));
    });
    if (!written) throw notFound(resource, name);
    return written;
  }

  async edit(
    resource: GroupResource,
    namespace: string,
    name: string,
    change: (object: KubeObject) => boolean | void,
  ): Promise<KubeObject | undefined> {
    this.#interfered("edit", name);
    const { table, key, served } = this.#at(resource, namespace, name);
    const expected = table.head(key);
    if (!expected) return undefined;
    const object = deepClone(table.decode(expected));
    if (change(object) === false) return object;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    const deletes = deletionTimestamp !== undefined && finalizers.length === 0 && !served.strategy.heldBack?.(object);
    return table.decode(await table.write({ key, expected, object: versioned(object), deletes }));
  }

  async delete(resource: GroupResource, namespace: string, name: string, options: DeleteRequest = {}): Promise<void> {
    this.#interfered("delete", name);
    const { table, key, served } = this.#at(resource, namespace, name);
    const expected = table.head(key);
    if (!expected) throw notFound(resource, name);
    const object = deepClone(table.decode(expected));
    const { metadata } = object;
    if (options.uid !== undefined && options.uid !== metadata.uid) throw conflict(resource, name, "uid");
    if (options.resourceVersion !== undefined && options.resourceVersion !== metadata.resourceVersion) {
      throw conflict(resource, name, "resourceVersion");
    }
    if (options.propagationPolicy) {
      const others = (metadata.finalizers ?? []).filter((f) => f !== "orphan" && f !== "foregroundDeletion");
      metadata.finalizers = [...others, ...POLICY_FINALIZERS[options.propagationPolicy]];
    }
    const held = (metadata.finalizers ?? []).length > 0 || served.strategy.heldBack?.(object) === true;
    if (held) {
      metadata.deletionTimestamp ??= formatTime(this.#clock.now());
      served.strategy.onDeletionMarked?.(object);
    }
    await table.write({ key, expected, object: versioned(object), deletes: !held });
  }

  #at(gr: GroupResource, namespace: string, name: string): { table: Table; key: string; served: Resource } {
    const served = this.resources.get(gr);
    if (!served) throw notFound(gr, name);
    return { table: this.store.table(served.table), key: served.namespaced ? `${namespace}/${name}` : name, served };
  }

  #interfered(verb: string, name: string): void {
    const error = this.interfere(verb, name);
    if (error) throw error;
  }
}

function versioned(object: KubeObject): (revision: number) => KubeObject {
  return (revision) => {
    object.metadata.resourceVersion = String(revision);
    return object;
  };
}
