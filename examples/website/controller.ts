import type { Immutable, ObjectRef } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import { done, isMissing, ownedBy, setCondition, updateStatus, watching, withFinalizer } from "@gatewright/runtime";
import type { ControllerDefinition, Outcome, ReconcileContext } from "@gatewright/runtime";
import { directoryEntry, DIRECTORY, OWNER, siteOf } from "./directory.ts";
import { page, webServers } from "./web-servers.ts";
import { Website } from "./website.ts";

type Context = ReconcileContext<Website>;

const children = ownedBy(Website);

/**
 * Serves each Website by a Deployment with its page in a ConfigMap, and lists it in a directory. The children go with their owner;
 * the directory is in another namespace, where owner references do not reach, so a finalizer takes the entry out.
 */
export const websites: ControllerDefinition<Website> = {
  name: "websites",
  for: Website,
  owns: [core.ConfigMap, apps.Deployment],
  watches: [watching(core.ConfigMap, { map: siteOf })],
  access: [
    { resource: Website, verbs: ["patch"] },
    { resource: Website, verbs: ["patch"], subresource: "status" },
    { resource: core.ConfigMap, verbs: ["create", "patch", "delete"] },
    { resource: apps.Deployment, verbs: ["create", "patch"] },
  ],
  concurrency: 4,
  reconcile: (context) =>
    withFinalizer(context, {
      resource: Website,
      finalizer: OWNER,
      reconcile: (site) => serve(context, site),
      cleanup: (site) => unlist(context, site),
    }),
};

async function serve(context: Context, site: Immutable<Website>): Promise<Outcome> {
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
  if (known?.data?.["page"] === entry.data.page && siteOf(known).length > 0) return;
  await client.for(core.ConfigMap).apply(entry, { signal });
}

/** Asks the server itself: a cache that is young enough to have missed the entry would leave it behind for good. */
async function unlist({ client, signal }: Context, site: Immutable<Website>): Promise<Outcome> {
  const ref: ObjectRef = { namespace: DIRECTORY, name: directoryEntry(site).metadata.name };
  const entry = await client.for(core.ConfigMap).find(ref, { signal });
  const uid = entry?.metadata.uid;
  if (uid === undefined) return done();
  try {
    await client.for(core.ConfigMap).delete(ref, { preconditions: { uid }, signal });
  } catch (error) {
    if (!isMissing(error, core.ConfigMap, ref)) throw error;
  }
  return done();
}
