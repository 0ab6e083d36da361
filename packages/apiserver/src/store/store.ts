import type { KubeObject } from "@gatewright/kube";
import type { Store as AnyStore, Table as AnyTable } from "@gatewright/store";

export { WriteConflict } from "@gatewright/store";
export type { Change, ChangeType, Entry, Snapshot } from "@gatewright/store";

/** The store with Kubernetes objects in it. What it promises is said in its own room. */
export type Store = AnyStore<KubeObject>;

/** All objects of one resource: `deployments.apps`, `pods`. Keys are `namespace/name`, or `name` for cluster-scoped kinds. */
export type Table = AnyTable<KubeObject>;
