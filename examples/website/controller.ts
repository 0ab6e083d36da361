import type { Immutable } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import {
  confirmPresent,
  done,
  isMissing,
  ownedBy,
  setCondition,
  updateStatus,
  watching,
  withFinalizer,
} from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, Owned, ReconcileContext } from "@gatewright/runtime";
import { directoryEntry, entryOf, isEntryOf, OWNER, says, siteOf } from "./directory.ts";
import { page, webServers } from "./web-servers.ts";
import { Website } from "./website.ts";

type Context = ReconcileContext<Website>;

/**
 * Serves each Website by a Deployment with its page in a ConfigMap, and lists it in a directory. The children go with their owner;
 * the directory is in another namespace, where owner references do not reach, so a finalizer takes the entry out.
 */
export function websites(): ControllerDefinition<Website> {
  const children = ownedBy(Website);
  return {
    name: "websites",
    for: Website,
    owns: [core.ConfigMap, apps.Deployment],
    watches: [watching(core.ConfigMap, { map: siteOf })],
    access: [
      { resource: Website, verbs: ["patch"] },
      { resource: Website, verbs: ["patch"], subresource: "status" },
      { resource: core.ConfigMap, verbs: ["create", "patch", "delete"] },
      { resource: apps.Deployment, verbs: ["create", "patch", "delete"] },
    ],
    concurrency: 4,
    reconcile: (context) =>
      context.object === undefined
        ? unlistOrphan(context)
        : withFinalizer(context, {
            resource: Website,
            finalizer: OWNER,
            reconcile: (site) => serve(context, children, site),
            cleanup: (site) => unlist(context, (entry) => isEntryOf(entry, site)),
          }),
  };
}

async function serve(context: Context, children: Owned<Website>, site: Immutable<Website>): Promise<Outcome> {
  const { client, signal, clock } = context;
  await children.apply(context, site, core.ConfigMap, page(site));
  const { status } = await children.apply(context, site, apps.Deployment, webServers(site));
  await list(context, site);

  const readyReplicas = status?.readyReplicas ?? 0;
  const ready = readyReplicas >= site.spec.replicas;
  const conditions = setCondition(
    site.status?.conditions,
    {
      type: "Ready",
      status: ready ? "True" : "False",
      reason: ready ? "Serving" : "Starting",
      message: `${readyReplicas} of ${site.spec.replicas} web servers are ready`,
      observedGeneration: site.metadata.generation ?? 0,
    },
    clock.now(),
  );
  await updateStatus(client, Website, site, { readyReplicas, conditions }, { signal });
  return done();
}

async function list({ cached, client, signal }: Context, site: Immutable<Website>): Promise<void> {
  const entry = directoryEntry(site);
  const known = cached(core.ConfigMap).get(entry.metadata);
  if (known !== undefined && says(known, entry)) return;
  if (known === undefined) await confirmPresent(client, Website, site, { signal });
  await client.for(core.ConfigMap).apply(entry, { signal });
}

/** Asks the server itself: a cache that is young enough to have missed the entry would leave it behind for good. */
async function unlist(
  { client, signal, ref }: Context,
  isOurs: (entry: Immutable<core.ConfigMap>) => boolean,
): Promise<Outcome> {
  const place = entryOf(ref);
  const entry = await client.for(core.ConfigMap).find(place, { signal });
  if (entry?.metadata.uid === undefined || !isOurs(entry)) return done();
  const { uid } = entry.metadata;
  try {
    await client.for(core.ConfigMap).delete(place, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isMissing(error, core.ConfigMap, place)) throw error;
  }
  return done();
}

/** What a process wrote just before it lost the lease may arrive after the next one has cleaned up. */
async function unlistOrphan(context: Context): Promise<Outcome> {
  const { cached, client, ref, signal } = context;
  if (cached(core.ConfigMap).get(entryOf(ref)) === undefined) return done();
  return (await client.for(Website).find(ref, { signal })) === undefined ? unlist(context, () => true) : done();
}
