import { useEffect, useState } from "preact/hooks";
import { every, later } from "../../browser/time.ts";
import { ask } from "../state/ask.ts";
import { useSession } from "../state/session.ts";

export interface Asked<T> {
  readonly value: T | undefined;
  readonly problem: string | undefined;
}

/** How soon after a change: what happens together is asked about once, and a busy cluster is asked twice a second at most. */
const PAUSE_MS = 400;
const AGAIN_MS = 10_000;
const NOTHING = { value: undefined, problem: undefined };

/**
 * What the server answers to a question about what is live: asked again shortly after anything changed, and now and then for what
 * only time changes. What was answered before stays until there is something newer.
 */
export function useAnswer<T>(path: string | undefined): Asked<T> {
  const { live } = useSession();
  const [answer, setAnswer] = useState<Asked<T> & { readonly path: string | undefined }>({ path, ...NOTHING });
  useEffect(() => {
    if (path === undefined) return;
    const gone = new AbortController();
    let planned: (() => void) | undefined;
    const start = async (): Promise<void> => {
      try {
        const value = await ask<T>(path, { signal: gone.signal });
        setAnswer({ path, value, problem: undefined });
      } catch (error) {
        if (gone.signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        setAnswer((before) => ({ path, value: before.path === path ? before.value : undefined, problem }));
      }
    };
    const plan = (): void => {
      planned ??= later(PAUSE_MS, () => {
        planned = undefined;
        void start();
      });
    };
    void start();
    const leave = live.changes.subscribe(plan);
    const end = every(AGAIN_MS, plan);
    return () => {
      planned?.();
      leave();
      end();
      gone.abort();
    };
  }, [path, live]);
  return answer.path === path ? answer : NOTHING;
}
