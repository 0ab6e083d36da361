import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestContext } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { ApiObject, Resource } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import type { Client } from "../client/client.ts";
import { createClient } from "../client/create-client.ts";
import { createCache } from "./create-cache.ts";
import type { CacheOptions } from "./create-cache.ts";
import type { Cache, CacheChange, CacheReader, WriteObserver } from "./informer.ts";

interface ConfigMap extends ApiObject {
  data?: Record<string, string>;
}

const configMaps: Resource<ConfigMap> = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  plural: "configmaps",
  namespaced: true,
};
const namespaces: Resource = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };

let server: ApiServer;
before(async () => {
  server = await createApiServer();
});
after(() => server.close());

interface World {
  readonly cache: Cache;
  /** Tells the cache of its writes. */
  readonly client: Client;
  /** Somebody else. */
  readonly other: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

let worlds = 0;

/** A namespace of its own and a cache that runs until the test ends. */
async function world(t: TestContext, options: Partial<CacheOptions> = {}): Promise<World> {
  const namespace = `cache-${++worlds}`;
  const other = createClient(server.transport());
  await other.for(namespaces).create({ metadata: { name: namespace } });
  const cache = createCache({ client: other, ...options });
  const observer: WriteObserver = {
    wrote: (resource, object) => cache.wrote(resource, object),
    removed: (resource, ref, uid) => cache.removed(resource, ref, uid),
  };
  const stop = new AbortController();
  const running = cache.run(stop.signal);
  t.after(async () => {
    stop.abort();
    await running;
  });
  return { cache, client: createClient(server.transport(), { observer }), other, namespace, signal: stop.signal };
}

/** Resolves when the condition holds after some change. */
function until(informer: { subscribe(listener: () => void): () => void }, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let stop = (): void => {};
    const look = (): void => {
      if (!holds()) return;
      queueMicrotask(() => stop());
      resolve();
    };
    stop = informer.subscribe(look);
    look();
  });
}

function names(reader: CacheReader<ConfigMap>): string[] {
  return reader.list().map((object) => object.metadata.name ?? "");
}

const told = (change: CacheChange<ConfigMap>): string => `${change.type} ${change.object.metadata.name}`;

for (const watchList of [true, false]) {
  const how = watchList ? "a stream of events" : "pages";

  test(`an informer lists by ${how} and then follows changes`, async (t) => {
    const { cache, other, namespace, signal } = await world(t, { watchList });
    const maps = other.for(configMaps);
    for (const name of ["b", "a"]) await maps.create({ metadata: { namespace, name }, data: { v: "1" } });
    const informer = cache.informer(configMaps, { namespace });
    const heard: string[] = [];
    informer.subscribe((change) => heard.push(told(change)));
    await informer.whenSynced(signal);
    assert.deepEqual(names(informer), ["a", "b"]);
    await maps.patch({ namespace, name: "a" }, { merge: { data: { v: "2" } } });
    await maps.delete({ namespace, name: "b" });
    await maps.create({ metadata: { namespace, name: "c" } });
    await until(informer, () => informer.get(`${namespace}/c`) !== undefined);
    assert.deepEqual(names(informer), ["a", "c"]);
    assert.equal(informer.get({ namespace, name: "a" })?.data?.["v"], "2");
    assert.deepEqual(heard, ["added a", "added b", "updated a", "deleted b", "added c"]);
    assert.equal(informer.health().problem, undefined);
    assert.equal(informer.health().objects, 2);
  });
}

test("cached objects are frozen and have no managed fields", async (t) => {
  const { cache, other, namespace, signal } = await world(t);
  await other.for(configMaps).create({ metadata: { namespace, name: "a" }, data: { v: "1" } });
  const informer = cache.informer(configMaps, { namespace });
  await informer.whenSynced(signal);
  const object = informer.get(`${namespace}/a`)!;
  assert.ok([object, object.metadata, object.data].every(Object.isFrozen));
  assert.equal(object.metadata.managedFields, undefined);
});

test("a metadata-only informer keeps metadata under the kind's own name", async (t) => {
  const { cache, client, namespace, signal } = await world(t);
  await client.for(configMaps).create({ metadata: { namespace, name: "a" }, data: { v: "1" } });
  const informer = cache.informer(configMaps, { namespace, metadataOnly: true });
  await informer.whenSynced(signal);
  await client.for(configMaps).create({ metadata: { namespace, name: "b" }, data: { v: "1" } });
  for (const name of ["a", "b"]) {
    const object = informer.get(`${namespace}/${name}`)!;
    assert.deepEqual(Object.keys(object).sort(), ["apiVersion", "kind", "metadata"]);
    assert.deepEqual([object.apiVersion, object.kind], ["v1", "ConfigMap"]);
  }
});

test("own writes are read back at once, and their echo is no second change", async (t) => {
  const { cache, client, other, namespace, signal } = await world(t);
  const informer = cache.informer(configMaps, { namespace });
  const labelled = cache.informer(configMaps, { namespace, labelSelector: "keep=yes" });
  await informer.whenSynced(signal);
  await labelled.whenSynced(signal);
  const heard: string[] = [];
  informer.subscribe((change) => heard.push(told(change)));
  heard.length = 0;
  const ref = { namespace, name: "mine" };
  const maps = client.for(configMaps);
  await maps.create({ metadata: { ...ref, labels: { keep: "yes" } }, data: { v: "1" } });
  assert.equal(informer.get(ref)?.data?.["v"], "1");
  assert.equal(labelled.get(ref)?.data?.["v"], "1");
  await maps.patch(ref, { merge: { metadata: { labels: { keep: "no" } }, data: { v: "2" } } });
  assert.equal(informer.get(ref)?.data?.["v"], "2");
  assert.equal(labelled.get(ref), undefined);
  await maps.delete(ref);
  assert.equal(informer.get(ref), undefined);
  await other.for(configMaps).create({ metadata: { namespace, name: "last" } });
  await until(informer, () => informer.get(`${namespace}/last`) !== undefined);
  assert.deepEqual(heard, ["added mine", "updated mine", "deleted mine", "added last"]);
});

test("an answer that comes after the watch has passed its version does not bring back what is gone again", async (t) => {
  const { cache, other, namespace, signal } = await world(t);
  const ref = { namespace, name: "brief" };
  const late = await other.for(configMaps).create({ metadata: ref });
  await other.for(configMaps).delete(ref);
  const informer = cache.informer(configMaps, { namespace });
  await informer.whenSynced(signal);
  await other.for(configMaps).create({ metadata: { namespace, name: "last" } });
  await until(informer, () => informer.get(`${namespace}/last`) !== undefined);
  cache.wrote(configMaps, late);
  assert.equal(informer.get(ref), undefined);
});

test("informers of one kind and scope are one, and start late too", async (t) => {
  const { cache, other, namespace, signal } = await world(t);
  assert.equal(cache.informer(configMaps, { namespace }), cache.informer(configMaps, { namespace }));
  assert.notEqual(cache.informer(configMaps, { namespace }), cache.informer(configMaps));
  await other.for(configMaps).create({ metadata: { namespace, name: "a" } });
  const late = cache.informer(configMaps, { namespace, fieldSelector: "metadata.name=a" });
  await late.whenSynced(signal);
  assert.deepEqual(names(late), ["a"]);
  assert.equal(cache.health().length, 3);
});

test("an informer of a kind that is not served says so and recovers when its definition arrives", async (t) => {
  const clock = new ManualClock();
  const { cache, other } = await world(t, { clock });
  const crds: Resource<ApiObject & { spec: unknown }> = {
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
    plural: "customresourcedefinitions",
    namespaced: false,
  };
  const widgets: Resource = {
    group: "cache.test",
    version: "v1",
    kind: "Widget",
    plural: "widgets",
    namespaced: false,
  };
  const install = async (): Promise<void> => {
    await other.for(crds).create({
      metadata: { name: "widgets.cache.test" },
      spec: {
        group: "cache.test",
        names: { plural: "widgets", kind: "Widget" },
        scope: "Cluster",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await server.idle();
  };
  const informer = cache.informer(widgets);
  /** Lets time pass, half a second at a time, until the condition holds. */
  const passUntil = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      await new Promise(setImmediate);
      clock.advance(500);
    }
  };
  await passUntil(() => informer.health().problem?.includes("not") === true);
  assert.equal(informer.synced, false);
  assert.match(informer.health().problem ?? "", /could not find|does not serve/);
  await install();
  await passUntil(() => informer.synced);
  const first = await other.for(widgets).create({ metadata: { name: "one" } });
  await until(informer, () => informer.get("one") !== undefined);

  await other.for(crds).delete({ name: "widgets.cache.test" });
  await server.idle();
  await install();
  const second = await other.for(widgets).create({ metadata: { name: "one" } });
  await passUntil(() => informer.get("one")?.metadata.uid === second.metadata.uid);
  assert.notEqual(first.metadata.uid, second.metadata.uid);
});
