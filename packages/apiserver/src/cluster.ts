import type { GroupResource, KubeObject } from "@gatewright/kube";
import type { ResourceRegistry } from "./resources/registry.ts";
import type { Store } from "./store/store.ts";

export interface DeleteRequest {
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/**
 * The server's own view of its objects, for controllers, admission and authorization that live inside it. Reads see the
 * newest visible state, in the storage version, frozen. Writes take the same way as a client's: admission, validation and
 * store, as the system user; they throw the StatusError that a client would see.
 */
export interface Cluster {
  readonly store: Store;
  readonly resources: ResourceRegistry;
  get(resource: GroupResource, namespace: string, name: string): KubeObject | undefined;
  list(resource: GroupResource, namespace?: string): IterableIterator<KubeObject>;
  create(resource: GroupResource, object: KubeObject): Promise<KubeObject>;
  /** Replaces the object; `metadata.resourceVersion` in it makes the write conditional. */
  update(resource: GroupResource, object: KubeObject, subresource?: string): Promise<KubeObject>;
  /**
   * Reads, changes and writes until nobody interferes. `change` gets a copy to edit and returns false to leave the object
   * as it is. Resolves to undefined when the object is not there.
   */
  edit(
    resource: GroupResource,
    namespace: string,
    name: string,
    change: (object: KubeObject) => boolean | void,
    subresource?: string,
  ): Promise<KubeObject | undefined>;
  delete(resource: GroupResource, namespace: string, name: string, options?: DeleteRequest): Promise<void>;
}
