import { JournaledStore } from "./journaled-store.ts";
import type { JournaledStoreOptions } from "./journaled-store.ts";
import type { Store } from "./store.ts";

/** A store that forgets everything when the process ends. Writes become visible a microtask after they were made. */
export function createMemoryStore<T>(options: JournaledStoreOptions<T>): Store<T> {
  return new JournaledStore(options);
}
