export { openDiskStore } from "./disk-store.ts";
export { createMemoryStore } from "./memory-store.ts";
export type { Store, Table } from "./store.ts";
export type { DiskStoreOptions } from "./disk-store.ts";
