import type { Clock } from "@gatewright/ports";
import { aborted } from "@gatewright/ports";
import { LOW_PRIORITY } from "@gatewright/runtime";
import type { Source } from "@gatewright/runtime";
import type { DeliverableKey, SourceKey, SourceRef } from "../model/deliverable.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { sourceKey } from "../model/deliverable.ts";
import type { GatewayStandings } from "./gateway-standing.ts";

export interface ChangedSourcesOptions {
  readonly catalogue: Pick<Catalogue, "get">;
  readonly gateways: GatewayStandings;
  readonly feed: {
    subscribe(listener: (changed: ReadonlySet<SourceKey>) => void): () => void;
    /** Of all objects that were looked at. */
    sources(): Iterable<SourceRef>;
  };
  readonly clock: Clock;
}

/** Long enough for most gateways to have acknowledged an edit, so that it is told once. */
const EDIT_MS = 150;
/** Long enough for gateways that come back after a restart: what is as it was before is not told at all. */
const FLEET_MS = 3000;
/** A fleet that never rests is told of all the same: the later, the more objects there are to tell it. */
const FLEET_MOST_MS = 15_000;
const FLEET_EACH_MS = 5;

/** The objects of a kind whose status may have changed, gathered: edits for a moment, comings and goings of gateways until they rest. */
export function changedSources(kind: SourceRef["kind"], options: ChangedSourcesOptions): Source {
  const { catalogue, gateways, feed, clock } = options;
  return async (enqueue, signal) => {
    const changed = new Map<SourceKey, SourceRef>();
    /** Each gateway tells of the same ones. */
    const noted = new Set<DeliverableKey>();
    let [editTimer, fleetTimer]: (undefined | (() => void))[] = [];
    let fleetSince: number | undefined;
    let fleetMore = 0;
    const note = (ref: SourceRef | undefined): void => {
      if (ref?.kind !== kind) return;
      changed.set(sourceKey(ref), ref);
      editTimer ??= clock.timer(EDIT_MS, () => {
        editTimer = undefined;
        for (const { namespace, name } of changed.values()) enqueue({ namespace, name });
        changed.clear();
        noted.clear();
      });
    };
    const moved = (): void => {
      const now = clock.monotonic();
      fleetSince ??= now;
      fleetTimer?.();
      const left = Math.max(0, Math.min(FLEET_MS, fleetSince + FLEET_MOST_MS + fleetMore - now));
      fleetTimer = clock.timer(left, () => {
        [fleetTimer, fleetSince, fleetMore] = [undefined, undefined, 0];
        for (const { kind: of, namespace, name } of feed.sources()) {
          if (of !== kind) continue;
          enqueue({ namespace, name }, LOW_PRIORITY);
          fleetMore += FLEET_EACH_MS;
        }
      });
    };
    const moves = (key: DeliverableKey): void => {
      if (noted.has(key)) return;
      const source = catalogue.get(key)?.deliverable.source;
      note(source);
      if (source?.kind === kind) noted.add(key);
    };
    const stops = [
      feed.subscribe((keys) => {
        for (const key of keys) if (key.startsWith(`${kind} `)) note(refOf(kind, key));
      }),
      gateways.subscribe((keys) => {
        if (keys === "all") moved();
        else for (const key of keys) moves(key);
      }),
    ];
    await aborted(signal);
    for (const stop of [...stops, editTimer, fleetTimer]) stop?.();
  };
}

function refOf(kind: SourceRef["kind"], key: SourceKey): SourceRef {
  const slash = key.indexOf("/");
  return { kind, namespace: key.slice(kind.length + 1, slash), name: key.slice(slash + 1) };
}
