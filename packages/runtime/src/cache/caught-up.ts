import { compareResourceVersions, keyOf } from "@gatewright/kube";
import type { ApiObject, Immutable, ObjectKey, Resource } from "@gatewright/kube";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Client } from "../client/client.ts";
import type { Cache, CacheScope, Informer } from "./informer.ts";

export interface CaughtUpOptions {
  readonly cache: Cache;
  readonly client: Client;
  readonly clock: Clock;
  /** What is looked at. Each is watched by the cache. */
  readonly kinds: readonly { readonly resource: Resource; readonly scope?: CacheScope | undefined }[];
}

const LOOK_MS = 250;

/**
 * Resolves when a cache has all that the server had when this was called. A watch can be behind without anybody knowing, and a process
 * that takes over from another one, whose view was newer, would undo what that one did where no precondition stops it. Costs one list
 * of metadata for each kind; rejects as lists do, and when the signal aborts.
 */
export async function caughtUp({ cache, client, clock, kinds }: CaughtUpOptions, signal: AbortSignal): Promise<void> {
  await Promise.all(
    kinds.map(async ({ resource, scope = {} }) => {
      const informer = cache.informer(resource, scope);
      await informer.whenSynced(signal);
      const { items, resourceVersion } = await client.for(resource).list({ ...scope, metadataOnly: true, signal });
      const listed = new Map(items.map((item) => [keyOf(item), versionOf(item)]));
      while (!hasAll(informer, listed, resourceVersion)) await sleep(clock, LOOK_MS, signal);
    }),
  );
}

/**
 * Whether a cache is not behind a list. Its watch may be past it; where nothing happens that cannot be told by versions: then what is
 * listed is there as it was, and nothing else.
 */
function hasAll(informer: Informer<ApiObject>, listed: ReadonlyMap<ObjectKey, string>, at: string): boolean {
  const { resourceVersion } = informer.health();
  if (resourceVersion !== undefined && (compareResourceVersions(resourceVersion, at) ?? -1) >= 0) return true;
  for (const [key, version] of listed) {
    const cached = informer.get(key);
    if (cached === undefined || isOlder(versionOf(cached), version)) return false;
  }
  return informer.list().every((object) => listed.has(keyOf(object)) || !isOlder(versionOf(object), at));
}

function versionOf({ metadata }: Immutable<ApiObject>): string {
  return metadata.resourceVersion ?? "";
}

function isOlder(version: string, than: string): boolean {
  return (compareResourceVersions(version, than) ?? 0) < 0;
}
