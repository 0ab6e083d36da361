/** Runs work that shares a lock one after the other, in the order in which it came. Locks without work cost nothing. */
export type OneAtATime = <T>(lock: string, work: () => Promise<T>) => Promise<T>;

export function oneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (lock, work) => {
    // Who came before may have failed: that is for them to handle.
    const turn = (last.get(lock) ?? Promise.resolve()).then(work, work);
    last.set(lock, turn);
    try {
      return await turn;
    } finally {
      if (last.get(lock) === turn) last.delete(lock);
    }
  };
}
