import { useEffect, useState } from "preact/hooks";

/** A value that tells when it has changed. */
export interface Observable<T> {
  readonly value: T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

export function observable<T>(first: T): Observable<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get value() {
      return value;
    },
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of Array.from(listeners)) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The value now; whoever uses it is drawn again when it changes. */
export function useObservable<T>(source: Observable<T>): T {
  const [, redraw] = useState({});
  useEffect(() => source.subscribe(() => redraw({})), [source]);
  return source.value;
}
