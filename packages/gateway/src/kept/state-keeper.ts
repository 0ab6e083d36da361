import type { Kept, KeptState } from "./kept-state.ts";

interface Entry {
  readonly kept: Kept<object>;
  users: number;
}

/** What one object holds of the state that is kept. */
export interface Keeping {
  readonly state: KeptState;
  /** Lets go of it. What is returned ends what nobody else holds by then; to be called when no request needs it any more. */
  release(): () => void;
}

/**
 * Keeps state while any object asks for it. Whoever compiles an object anew asks by a new `Keeping` first and releases the old one
 * then, so that what both ask for stays as it is.
 */
export class StateKeeper {
  readonly #entries = new Map<string, Entry>();

  keeping(): Keeping {
    const held = new Map<string, Entry>();
    return {
      state: {
        of: <T extends object>(kind: string, name: string, content: unknown, make: () => Kept<T>): T => {
          const key = `${kind} ${name} ${JSON.stringify(content) ?? ""}`;
          let entry = held.get(key);
          if (entry === undefined) {
            entry = this.#entries.get(key) ?? { kept: make(), users: 0 };
            this.#entries.set(key, entry);
            entry.users++;
            held.set(key, entry);
          }
          return entry.kept.state as T;
        },
      },
      release: () => {
        for (const entry of held.values()) entry.users--;
        return () => {
          for (const [key, entry] of held) this.#end(key, entry);
        };
      },
    };
  }

  /** How much is kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** Ends everything, whoever holds it. */
  dispose(): void {
    for (const { kept } of this.#entries.values()) kept.dispose?.();
    this.#entries.clear();
  }

  #end(key: string, entry: Entry): void {
    if (entry.users > 0 || this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    entry.kept.dispose?.();
  }
}
