import type { Store } from "../store/store.ts";

const queues = new WeakMap<Store, Map<string, Promise<unknown>>>();

/**
 * Runs one at a time for each key, first come first served. Writers who met another one take turns by it: a crowd at one
 * object then costs as many attempts as it has writers, and each of them gets through.
 */
export async function inTurn<T>(store: Store, key: string, run: () => Promise<T>): Promise<T> {
  let queue = queues.get(store);
  if (!queue) queues.set(store, (queue = new Map()));
  const before = queue.get(key);
  const turn = (async () => {
    // How the one before fared is theirs to tell.
    await before?.catch(() => {});
    return run();
  })();
  queue.set(key, turn);
  try {
    return await turn;
  } finally {
    if (queue.get(key) === turn) queue.delete(key);
  }
}
