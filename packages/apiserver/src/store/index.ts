import type { KubeObject } from "@gatewright/kube";
import { createMemoryStore as createStore, openDiskStore as openStore } from "@gatewright/store";
import type {
  DiskStoreOptions as AnyDiskStoreOptions,
  MemoryStoreOptions,
  StoreImage as AnyImage,
} from "@gatewright/store";
import { kubeValues } from "./kube-values.ts";
import type { Store } from "./store.ts";

export { imageOf } from "@gatewright/store";
export type { Store, Table } from "./store.ts";

/** Kubernetes objects for a store to begin with. */
export type StoreImage = AnyImage<KubeObject>;

export type DiskStoreOptions = Omit<AnyDiskStoreOptions<KubeObject>, "values">;

/** Opens the store of a directory, for Kubernetes objects. */
export function openDiskStore(options: DiskStoreOptions): Promise<Store> {
  return openStore({ ...options, values: kubeValues });
}

/** A store for Kubernetes objects that forgets everything when the process ends. */
export function createMemoryStore(options: Omit<MemoryStoreOptions<KubeObject>, "values">): Store {
  return createStore({ ...options, values: kubeValues });
}
