/** A signal that follows others until it is disposed of. */
export interface LinkedSignal extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Aborts with the first of these that does, for its reason. The sources hold on to it until it is disposed of or one of them aborts.
 * `AbortSignal.any` needs no disposing, but costs several times as much, and the process itself keeps it alive while somebody listens:
 * what waits for it then is never collected, even when nobody can abort it any more.
 */
export function linkSignals(sources: readonly AbortSignal[]): LinkedSignal {
  const own = new AbortController();
  const unlink = (): void => {
    for (const source of sources) source.removeEventListener("abort", follow);
  };
  const follow = (): void => {
    const aborted = sources.find((source) => source.aborted);
    if (aborted === undefined) return;
    unlink();
    own.abort(aborted.reason);
  };
  for (const source of sources) source.addEventListener("abort", follow);
  follow();
  return { signal: own.signal, [Symbol.dispose]: unlink };
}
