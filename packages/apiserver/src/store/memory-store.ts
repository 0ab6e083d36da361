import { JournaledStore } from "./journaled-store.ts";
import type { JournaledStoreOptions } from "./journaled-store.ts";
import type { Store } from "./store.ts";

/** A store that forgets everything when the process ends. Writes become visible a microtask after they were made. */
export function createMemoryStore(options: JournaledStoreOptions): Store {
  return new JournaledStore(options);
}
