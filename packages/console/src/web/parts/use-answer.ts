import { useEffect, useState } from "preact/hooks";
import { later } from "../../browser/time.ts";
import { ask } from "../state/ask.ts";
import { useObservable } from "../state/observable.ts";
import { useSession } from "../state/session.ts";

export interface Asked<T> {
  readonly value: T | undefined;
  readonly problem: string | undefined;
}

const PAUSE_MS = 250;
const AGAIN_MS = 10_000;

/**
 * What the server answers to a question about what is live: asked again shortly after anything changed, and now and then for what
 * only time changes. What was answered before stays until there is something newer.
 */
export function useAnswer<T>(path: string | undefined): Asked<T> {
  const { live } = useSession();
  const changes = useObservable(live.changes);
  const [ticks, setTicks] = useState(0);
  const [answer, setAnswer] = useState<Asked<T> & { readonly path: string | undefined }>({
    path,
    value: undefined,
    problem: undefined,
  });
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    const start = async (): Promise<void> => {
      try {
        const value = await ask<T>(path, { signal: gone.signal });
        setAnswer({ path, value, problem: undefined });
      } catch (error) {
        if (gone.signal.aborted) return;
        setAnswer((before) => ({
          path,
          value: before.path === path ? before.value : undefined,
          problem: String(error instanceof Error ? error.message : error),
        }));
      }
    };
    const cancel = later(answer.path === path && answer.value !== undefined ? PAUSE_MS : 0, () => void start());
    const again = later(AGAIN_MS, () => setTicks((count) => count + 1));
    return () => {
      cancel();
      again();
      gone.abort();
    };
  }, [path, changes, ticks]);
  return answer.path === path ? answer : { value: undefined, problem: undefined };
}
