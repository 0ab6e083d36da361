import type { Kept, KeptState } from "./kept-state.ts";

interface Entry {
  readonly content: string;
  readonly kept: Kept<object>;
}

/**
 * Keeps state from one table to the next. `begin` gives what a compilation asks; `commit` makes its answers the current ones and
 * returns what nobody asked for any more, to be disposed of when older tables are out of use; without `commit` nothing happened
 * except that new state is disposed of by `abandon`.
 */
export class StateKeeper {
  #current: ReadonlyMap<string, Entry> = new Map();

  begin(): Keeping {
    const before = this.#current;
    const asked = new Map<string, Entry>();
    const state: KeptState = {
      of<T extends object>(kind: string, name: string, content: unknown, make: () => Kept<T>): T {
        const key = `${kind} ${name}`;
        const text = JSON.stringify(content) ?? "";
        const known = asked.get(key) ?? before.get(key);
        if (known !== undefined && known.content === text) {
          asked.set(key, known);
          return known.kept.state as T;
        }
        const kept = make();
        asked.set(key, { content: text, kept });
        return kept.state;
      },
    };
    return {
      state,
      commit: () => {
        this.#current = asked;
        return unused(before, asked);
      },
      abandon: () => {
        for (const dispose of unused(asked, before)) dispose();
      },
    };
  }

  /** Ends everything. */
  dispose(): void {
    for (const { kept } of this.#current.values()) kept.dispose?.();
    this.#current = new Map();
  }
}

/** One compilation's way to its state. */
export interface Keeping {
  readonly state: KeptState;
  commit(): (() => void)[];
  abandon(): void;
}

/** How to end what the one has and the other has not. */
function unused(those: ReadonlyMap<string, Entry>, without: ReadonlyMap<string, Entry>): (() => void)[] {
  const still = new Set([...without.values()].map(({ kept }) => kept));
  return [...those.values()]
    .filter(({ kept }) => !still.has(kept))
    .map(
      ({ kept }) =>
        () =>
          kept.dispose?.(),
    );
}
