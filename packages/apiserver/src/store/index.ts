export { openDiskStore } from "./disk-store.ts";
export type { DiskStoreOptions } from "./disk-store.ts";
export { createMemoryStore } from "./memory-store.ts";
export { WriteConflict } from "./store.ts";
export type { Change, ChangeType, Entry, Snapshot, Store, StoreHealth, Table, WriteRequest } from "./store.ts";
