import { JournaledStore } from "./journaled-store.ts";
import type { JournaledStoreOptions } from "./journaled-store.ts";
import type { StoreImage } from "./store-image.ts";
import type { Store } from "./store.ts";

export interface MemoryStoreOptions<T> extends JournaledStoreOptions<T> {
  /** What it begins with. Default: nothing. Changes before it are not known: a watch cannot go on from there. */
  readonly image?: StoreImage<T>;
}

/** A store that forgets everything when the process ends. Writes become visible a microtask after they were made. */
export function createMemoryStore<T>({ image, ...options }: MemoryStoreOptions<T>): Store<T> {
  const store = new JournaledStore(options, image?.decoded);
  if (image !== undefined) store.load(image.tables, image.revision);
  return store;
}
