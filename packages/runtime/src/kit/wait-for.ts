import type { ApiObject, Immutable, ObjectRef } from "@gatewright/kube";
import { keyOf } from "@gatewright/kube";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Informer } from "../cache/informer.ts";
import type { ResourceClient } from "../client/client.ts";

/** Whether an object is as it should be; undefined: it is not there. */
export type Expectation<T> = (object: Immutable<T> | undefined) => boolean;

/**
 * Resolves with the object as soon as the cache shows it as expected; at once if it does already. An informer that has not synced
 * is waited for, so "not there" is never a guess. Rejects with the signal's reason.
 */
export async function waitForCached<T extends ApiObject>(
  informer: Informer<T>,
  ref: ObjectRef,
  expected: Expectation<T>,
  signal: AbortSignal,
): Promise<Immutable<T> | undefined> {
  await informer.whenSynced(signal);
  const key = keyOf(ref);
  return new Promise((resolve, reject) => {
    let unsubscribe = (): void => {};
    let ended = false;
    const abort = (): void => finish(() => reject(signal.reason));
    const finish = (settle: () => void): void => {
      if (ended) return;
      ended = true;
      unsubscribe();
      signal.removeEventListener("abort", abort);
      settle();
    };
    const look = (): void => {
      if (ended) return;
      const object = informer.get(ref);
      try {
        if (expected(object)) finish(() => resolve(object));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    look();
    if (ended) return;
    unsubscribe = informer.subscribe((change) => {
      if (keyOf(change.object) === key) look();
    });
    if (ended) unsubscribe();
  });
}

const AGAIN_MS = 1000;

/**
 * The same without a cache: reads the object, then watches it. Goes on through cut watches and servers that are away, until the
 * signal aborts: give one with a deadline.
 */
export async function waitFor<T extends ApiObject>(
  client: ResourceClient<T>,
  ref: ObjectRef,
  expected: Expectation<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Immutable<T> | undefined> {
  for (;;) {
    signal.throwIfAborted();
    let judged: unknown;
    const met = (object: Immutable<T> | undefined): boolean => {
      try {
        return expected(object);
      } catch (error) {
        judged = error;
        throw error;
      }
    };
    try {
      const { resourceVersion, items } = await client.list({ ...selecting(ref), signal });
      if (met(items[0])) return items[0];
      for await (const event of client.watch({ ...selecting(ref), resourceVersion, signal })) {
        if (event.type === "BOOKMARK") continue;
        const object = event.type === "DELETED" ? undefined : event.object;
        if (met(object)) return object;
      }
    } catch (error) {
      if (error === judged && judged !== undefined) throw error;
      signal.throwIfAborted();
    }
    await sleep(clock, AGAIN_MS, signal);
  }
}

function selecting({ namespace, name }: ObjectRef): { readonly namespace?: string; readonly fieldSelector: string } {
  return { ...(namespace !== undefined && { namespace }), fieldSelector: `metadata.name=${name}` };
}
