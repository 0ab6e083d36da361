import type { Moment, Timeline } from "@gatewright/explain";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { StatusError } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { sleep, systemClock } from "@gatewright/ports";
import { isNotFound, TransportError } from "@gatewright/runtime";
import type { Client, Selection } from "@gatewright/runtime";

const AGAIN_MS = 1_000;

export interface Following {
  readonly client: Client;
  readonly timeline: Timeline;
  readonly selection: Selection;
  readonly tell: (moment: Moment) => void;
  /** What is in the way: a right that is missing, or a token that is not taken. */
  readonly refused: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Tells what happens to the objects of a kind until the signal aborts. A watch that ends begins anew, and what changed meanwhile is told
 * then. Resolves early for a kind that may not be watched, which is told, or is not served.
 */
export async function followKind(resource: Resource, following: Following): Promise<void> {
  const { client, timeline, selection, tell, refused, signal } = following;
  const note = (type: "ADDED" | "MODIFIED" | "DELETED", object: Immutable<ApiObject>): void => {
    const now = systemClock.now();
    if (resource.kind !== core.Event.kind) {
      for (const moment of timeline.note(type, object, now)) tell(moment);
    } else if (type !== "DELETED") {
      const moment = timeline.event(object as Immutable<core.Event>, now);
      if (moment !== undefined) tell(moment);
    }
  };
  let isFirst = true;
  while (!signal.aborted) {
    try {
      const { items, resourceVersion } = await client.for(resource).list({ ...selection, signal });
      for (const object of items) {
        if (isFirst) timeline.begin(object);
        else if (resource.kind !== core.Event.kind) note("MODIFIED", object);
      }
      isFirst = false;
      for await (const change of client.for(resource).watch({ ...selection, resourceVersion, signal })) {
        if (change.type !== "BOOKMARK") note(change.type, change.object);
      }
    } catch (error) {
      if (signal.aborted) return;
      // The transport has looked for newer credentials before it hands on a 401.
      if (error instanceof StatusError && (error.code === 401 || error.code === 403)) return refused(error.message);
      if (error instanceof StatusError && error.code === 404 && !isNotFound(error)) return;
      if (!(error instanceof StatusError) && !(error instanceof TransportError)) throw error;
    }
    await sleep(systemClock, AGAIN_MS, signal).catch(() => undefined);
  }
}
