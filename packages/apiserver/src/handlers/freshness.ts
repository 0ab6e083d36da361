import { resourceVersionTooLarge } from "@gatewright/kube";
import { deadline } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Store } from "../store/store.ts";

const PATIENCE_MS = 3000;

/** Waits until the store has reached a revision that a client has seen elsewhere; 504 when it does not get there. */
export async function waitForRevision(
  store: Store,
  clock: Clock,
  revision: number,
  signal: AbortSignal,
): Promise<void> {
  if (store.revision >= revision) return;
  using limit = deadline(clock, PATIENCE_MS, signal);
  try {
    await store.reached(revision, limit.signal);
  } catch (cause) {
    if (store.revision < revision) throw resourceVersionTooLarge(revision, store.revision);
    throw cause;
  }
}
