/** Names that wait for a certificate together. */
export interface Gathering {
  /** The asker's own and those that wait with it, as many as fit. */
  readonly names: readonly string[];
  /** How long to wait for more. 0: it is time. */
  readonly waitMs: number;
}

export interface Bundler {
  /** A name begins to wait among others of its kind, or goes on to. `room` is how many names a certificate has. */
  gather(kind: string, name: string, now: number, room: number): Gathering;
  /** The name waits no longer. */
  leave(name: string): void;
}

/**
 * Gathers names that need a certificate at about the same time, so that they share one. Lives as long as a process: what it forgets
 * in a crash gathers anew. Each question costs as much as a certificate has names, however many wait.
 */
export function createBundler(windowMs: number): Bundler {
  const waiting = new Map<string, Map<string, number>>();
  const kinds = new Map<string, string>();

  const leave = (name: string): void => {
    const kind = kinds.get(name);
    if (kind === undefined) return;
    kinds.delete(name);
    const names = waiting.get(kind);
    names?.delete(name);
    if (names?.size === 0) waiting.delete(kind);
  };

  return {
    leave,
    gather(kind, name, now, room) {
      if (kinds.get(name) !== kind) leave(name);
      kinds.set(name, kind);
      const names = waiting.get(kind) ?? new Map<string, number>();
      waiting.set(kind, names);
      if (!names.has(name)) names.set(name, now);
      const together = [name];
      for (const other of names.keys()) {
        if (together.length >= room) break;
        if (other !== name) together.push(other);
      }
      const since = names.get(name)!;
      const full = together.length >= room;
      return { names: together, waitMs: full ? 0 : Math.max(0, since + windowMs - now) };
    },
  };
}
