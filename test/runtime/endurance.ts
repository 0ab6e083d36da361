import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Immutable } from "@gatewright/kube";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { seededRandom } from "@gatewright/ports";
import { createClient, createManager, isAlreadyExists, isNotFound, TransportError } from "@gatewright/runtime";
import type { Cache, Client, Transport } from "@gatewright/runtime";
import { websites } from "../../examples/website/controller.ts";
import { DIRECTORY } from "../../examples/website/directory.ts";
import { Website } from "../../examples/website/website.ts";
import { cuttingWatches } from "./cut-watches.ts";
import { guarded } from "./guarded.ts";
import type { Runs } from "./guarded.ts";

const WRITERS = 16;

export interface Endurance {
  /** Where the websites are made. */
  readonly namespace: string;
  readonly objects: number;
  readonly changes: number;
  /** Called now and then between changes, with how many were made: to restart the server. */
  readonly between?: (made: number) => Promise<void>;
}

/** Makes the kind and the namespaces that the example needs, and waits until the kind is served. */
export async function installWebsites(client: Client, namespace: string): Promise<void> {
  await client.for(apiextensions.CustomResourceDefinition).apply(crdOf(Website));
  for (const name of [DIRECTORY, namespace]) await client.for(core.Namespace).apply({ metadata: { name } });
  for (;;) {
    try {
      await client.for(Website).list({ namespace });
      return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await pause(20);
    }
  }
}

/**
 * Runs the example controller on watches that are cut all the time, while objects are changed, deleted and made anew; then the
 * world must be as the last changes want it, for every object. Gives what it took.
 */
export async function endure(transport: Transport, endurance: Endurance): Promise<{ cuts: number; runs: number }> {
  const { namespace, objects, changes, between } = endurance;
  const user = createClient(transport, { fieldManager: "user" });
  await installWebsites(user, namespace);
  const [cuts, runs]: [{ count: number }, Runs] = [{ count: 0 }, { total: 0, overlapping: new Set() }];
  const manager = createManager({
    name: "website-controller",
    transport: cuttingWatches(transport, seededRandom(1), cuts),
  });
  manager.add(guarded(websites(), runs));
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);
  try {
    const wanted = await change(user, namespace, objects, changes, between);
    await untilServed(user, namespace, wanted);
    assert.deepEqual([...runs.overlapping], [], "keys that ran twice at once");
    await compareCache(manager.cache, user, namespace);
    return { cuts: cuts.count, runs: runs.total };
  } finally {
    stopping.abort();
    await running;
  }
}

type Wanted = ReadonlyMap<string, string | undefined>;

/** Makes the changes, several objects at once, each by one writer alone, so in order. One in fifty is a deletion. */
async function change(
  user: Client,
  namespace: string,
  objects: number,
  changes: number,
  between: Endurance["between"],
): Promise<Wanted> {
  const wanted = new Map<string, string | undefined>();
  let made = 0;
  const ownObjects = Math.floor(objects / WRITERS);
  const writer = async (own: number): Promise<void> => {
    for (let n = own; n < changes; n += WRITERS) {
      const name = `site-${(Math.floor(n / WRITERS) % ownObjects) * WRITERS + own}`;
      if (n % 50 === 49 && wanted.get(name) !== undefined) {
        await persistently(() => removeSite(user, namespace, name));
        wanted.set(name, undefined);
      } else {
        const page = `page ${n}`;
        await persistently(() => setPage(user, namespace, name, page));
        wanted.set(name, page);
      }
      if (++made % 1000 === 0) await between?.(made);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, own) => writer(own)));
  return wanted;
}

/** An object that is being deleted takes no new life. The user tries until it is gone, which must not keep it from going. */
async function setPage(user: Client, namespace: string, name: string, page: string): Promise<void> {
  const sites = user.for(Website);
  for (;;) {
    try {
      const site = await sites.patch({ namespace, name }, { merge: { spec: { page } } });
      if (site.metadata.deletionTimestamp === undefined) return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await sites.create({ metadata: { namespace, name }, spec: { page, replicas: 0 } });
      return;
    }
    await pause(20);
  }
}

async function removeSite(user: Client, namespace: string, name: string): Promise<void> {
  try {
    await user.for(Website).delete({ namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Does it until the server took it: while it restarts there is no answer. */
async function persistently(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TransportError) && !isAlreadyExists(error)) throw error;
      await pause(50);
    }
  }
}

/** Resolves when every website is served as wanted, listed as wanted, and nothing is left of those that were deleted. */
async function untilServed(user: Client, namespace: string, wanted: Wanted): Promise<void> {
  for (let left: string[] = [], tries = 0; ; tries++) {
    const [pages, entries] = [new Map<string, string>(), new Map<string, string>()];
    for (const { metadata, data } of (await user.for(core.ConfigMap).list({ namespace })).items) {
      if (data?.["index.html"] !== undefined) pages.set(metadata.name ?? "", data["index.html"]);
    }
    for (const { metadata, data } of (await user.for(core.ConfigMap).list({ namespace: DIRECTORY })).items) {
      if (metadata.name?.startsWith(`${namespace}.`))
        entries.set(metadata.name.slice(namespace.length + 1), data?.["page"] ?? "");
    }
    left = [...wanted].flatMap(([name, page]) =>
      pages.get(name) === page && entries.get(name) === page
        ? []
        : [`${name} is wanted with ${page}, served with ${pages.get(name)} and listed with ${entries.get(name)}`],
    );
    if (left.length === 0 && pages.size === entries.size) return;
    if (tries >= 600) {
      const [name = ""] = (left[0] ?? "").split(" ");
      assert.fail(
        `${left.length} websites are not as wanted: ${left.slice(0, 5).join("; ")}\n${await standing(user, namespace, name)}`,
      );
    }
    await pause(100);
  }
}

/** Whose what is there is, and whether it is being deleted: for whoever looks for the reason. */
async function standing(user: Client, namespace: string, name: string): Promise<string> {
  const site = await user.for(Website).find({ namespace, name });
  const child = await user.for(core.ConfigMap).find({ namespace, name });
  const facts = [site, child].map((object) => {
    const { uid, deletionTimestamp, finalizers, ownerReferences } = object?.metadata ?? {};
    return {
      kind: object?.kind,
      uid,
      deletionTimestamp,
      finalizers,
      owners: ownerReferences?.map((owner) => owner.uid),
    };
  });
  return JSON.stringify(facts);
}

/** What the cache holds must be what the server holds, object by object and version by version. */
async function compareCache(cache: Cache, user: Client, namespace: string): Promise<void> {
  const versions = (items: readonly Immutable<Website>[]): Map<string, string> =>
    new Map(items.map(({ metadata }) => [metadata.name ?? "", metadata.resourceVersion ?? ""]));
  const { items } = await user.for(Website).list({ namespace });
  assert.deepEqual(versions(cache.informer(Website).list({ namespace })), versions(items));
}
