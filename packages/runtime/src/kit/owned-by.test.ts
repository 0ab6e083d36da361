import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { isConflict } from "../client/error-kinds.ts";
import { ObjectGoneError } from "./confirm-present.ts";
import { NotOwnedError, ownedBy } from "./owned-by.ts";
import { createKitWorld } from "./testing/kit-world.ts";

const ref = { namespace: "default", name: "child" };

test("an owned object is applied when it or what is wanted changed, and otherwise no request is made", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  const owner = await world.client.for(core.Secret).create({ metadata: { namespace: "default", name: "owner" } });
  const children = ownedBy(core.Secret);
  const apply = async (data: Record<string, string>): Promise<number> => {
    await world.refresh(core.ConfigMap);
    world.requests.length = 0;
    await children.apply(world, owner, core.ConfigMap, { metadata: { name: "child" }, data });
    return world.requests.length;
  };
  // Is there one by that name, is the owner still there, and the apply.
  assert.equal(await apply({ a: "1", b: "2" }), 3);
  const made = await maps.get(ref);
  assert.deepEqual(
    made.metadata.ownerReferences?.map(({ kind, name, controller, uid }) => [kind, name, controller, uid]),
    [["Secret", "owner", true, owner.metadata.uid]],
  );
  assert.equal(await apply({ a: "1", b: "2" }), 0);

  await maps.patch(ref, { merge: { metadata: { labels: { theirs: "x" }, annotations: { revision: "1" } } } });
  assert.equal(await apply({ a: "1", b: "2" }), 0);

  await maps.patch(ref, { merge: { data: { a: "drifted", theirs: "x" } } });
  assert.equal(await apply({ a: "1", b: "2" }), 1);
  assert.deepEqual((await maps.get(ref)).data, { a: "1", b: "2", theirs: "x" });

  assert.equal(await apply({ a: "1" }), 1);
  assert.deepEqual((await maps.get(ref)).data, { a: "1", theirs: "x" });
  const { resourceVersion } = (await maps.get(ref)).metadata;
  const restarted = ownedBy(core.Secret);
  await restarted.apply(world, owner, core.ConfigMap, { metadata: { name: "child" }, data: { a: "1" } });
  assert.equal((await maps.get(ref)).metadata.resourceVersion, resourceVersion);
  await world.close();
});

test("what is not the owner's is left alone, seen by the cache or not, and the error says whose it is", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  const secrets = world.client.for(core.Secret);
  const owner = await secrets.create({ metadata: { namespace: "default", name: "owner" } });
  const rival = await secrets.create({ metadata: { namespace: "default", name: "rival" } });
  const children = ownedBy(core.Secret);
  const desired = { metadata: { name: "child" }, data: { a: "1" } };
  await children.apply(world, rival, core.ConfigMap, desired);
  await assert.rejects(children.apply(world, owner, core.ConfigMap, desired), /Secret rival controls it/);
  await world.refresh(core.ConfigMap);
  await assert.rejects(children.apply(world, owner, core.ConfigMap, desired), NotOwnedError);

  await maps.create({ metadata: { namespace: "default", name: "free" } });
  const free = { metadata: { name: "free" }, data: { a: "1" } };
  await assert.rejects(children.apply(world, owner, core.ConfigMap, free), /nobody controls it/);
  const adopted = await children.apply(world, owner, core.ConfigMap, free, { adopt: true });
  assert.equal(adopted.metadata.ownerReferences?.[0]?.name, "owner");

  const elsewhere = { metadata: { namespace: "kube-system", name: "child" } };
  await assert.rejects(children.apply(world, owner, core.ConfigMap, elsewhere), /cannot own ConfigMap in kube-system/);
  await assert.rejects(
    children.apply(world, owner, core.Namespace, { metadata: { name: "n" } }),
    /cannot own a Namespace/,
  );
  await world.close();
});

test("what an earlier owner of that name has left behind makes room, unless somebody else owns it too or holds it", async () => {
  const world = await createKitWorld();
  const secrets = world.client.for(core.Secret);
  const maps = world.client.for(core.ConfigMap);
  const owner = await secrets.create({ metadata: { namespace: "default", name: "owner" } });
  const other = await secrets.create({ metadata: { namespace: "default", name: "other" } });
  const children = ownedBy(core.Secret);
  const desired = { metadata: { name: "child" }, data: { a: "1" } };
  // Of a version that is not served, so that the collector does not come first.
  const dead = { apiVersion: "v9", kind: "Secret", name: "owner", uid: "earlier", controller: true };
  const leave = async (metadata: object): Promise<void> => {
    await maps.create({ metadata: { ...ref, ownerReferences: [dead], ...metadata }, data: { left: "behind" } });
    await world.refresh(core.ConfigMap);
  };
  await leave({});
  assert.deepEqual((await children.apply(world, owner, core.ConfigMap, desired)).data, { a: "1" });
  assert.deepEqual(
    (await maps.get(ref)).metadata.ownerReferences?.map(({ uid }) => uid),
    [owner.metadata.uid],
  );

  await maps.delete(ref);
  const second = { apiVersion: "v1", kind: "Secret", name: "other", uid: other.metadata.uid ?? "" };
  await leave({ ownerReferences: [dead, second] });
  await assert.rejects(children.apply(world, owner, core.ConfigMap, desired), NotOwnedError);
  await maps.delete(ref);
  await leave({ finalizers: ["example.com/held"] });
  await assert.rejects(children.apply(world, owner, core.ConfigMap, desired), NotOwnedError);
  assert.notEqual((await maps.get(ref)).metadata.deletionTimestamp, undefined);
  await world.close();
});

test("nothing is made for an owner that the server no longer has, or that was made anew", async () => {
  const world = await createKitWorld();
  const secrets = world.client.for(core.Secret);
  const owner = await secrets.create({ metadata: { namespace: "default", name: "owner" } });
  const children = ownedBy(core.Secret);
  const desired = { metadata: { name: "child" }, data: { a: "1" } };
  await secrets.delete({ namespace: "default", name: "owner" });
  await assert.rejects(children.apply(world, owner, core.ConfigMap, desired), ObjectGoneError);
  await secrets.create({ metadata: { namespace: "default", name: "owner" } });
  await assert.rejects(children.apply(world, owner, core.ConfigMap, desired), /Secret default\/owner is gone or going/);
  assert.equal(await world.client.for(core.ConfigMap).find(ref), undefined);
  await world.close();
});

test("a label or annotation that is wanted is put back, and others stay", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  const owner = await world.client.for(core.Secret).create({ metadata: { namespace: "default", name: "owner" } });
  const children = ownedBy(core.Secret);
  const metadata = { name: "child", labels: { ours: "1" }, annotations: { note: "1" } };
  const apply = async (): Promise<unknown> => {
    await children.apply(world, owner, core.ConfigMap, { metadata });
    await world.refresh(core.ConfigMap);
    const { labels, annotations } = (await maps.get(ref)).metadata;
    return { labels, annotations };
  };
  await apply();
  for (const labels of [{ ours: "2", theirs: "x" }, { ours: null }]) {
    await maps.patch(ref, { merge: { metadata: { labels, annotations: { note: null } } } });
    await world.refresh(core.ConfigMap);
    assert.deepEqual(await apply(), { labels: { ours: "1", theirs: "x" }, annotations: { note: "1" } });
  }
  await world.close();
});

test("who makes several children asks for their owner once", async () => {
  const world = await createKitWorld();
  const owner = await world.client.for(core.Secret).create({ metadata: { namespace: "default", name: "owner" } });
  const children = ownedBy(core.Secret);
  world.requests.length = 0;
  const confirm = (): Promise<void> => Promise.resolve();
  await children.apply(world, owner, core.ConfigMap, { metadata: { name: "child" } }, { confirm });
  assert.equal(world.requests.length, 2);
  const gone = (): Promise<void> => Promise.reject(new ObjectGoneError(core.Secret, ref));
  const another = children.apply(world, owner, core.ConfigMap, { metadata: { name: "another" } }, { confirm: gone });
  await assert.rejects(another, ObjectGoneError);
  await world.close();
});

test("children that are no longer wanted are deleted, but none that changed hands or was made anew", async () => {
  const world = await createKitWorld();
  const maps = world.client.for(core.ConfigMap);
  const secrets = world.client.for(core.Secret);
  const owner = await secrets.create({ metadata: { namespace: "default", name: "owner" } });
  const rival = await secrets.create({ metadata: { namespace: "default", name: "rival" } });
  const children = ownedBy(core.Secret);
  for (const name of ["a", "b", "c"]) await children.apply(world, owner, core.ConfigMap, { metadata: { name } });
  await children.apply(world, rival, core.ConfigMap, { metadata: { name: "d" } });
  await world.refresh(core.ConfigMap);
  assert.deepEqual(await children.prune(world, owner, core.ConfigMap, [{ name: "a" }, { name: "c" }]), [
    { namespace: "default", name: "b" },
  ]);
  const names = async (): Promise<unknown> =>
    (await maps.list({ namespace: "default" })).items
      .map(({ metadata }) => metadata.name)
      .filter((name) => name !== "kube-root-ca.crt");
  assert.deepEqual(await names(), ["a", "c", "d"]);

  await world.refresh(core.ConfigMap);
  await maps.delete({ namespace: "default", name: "c" });
  await maps.create({ metadata: { namespace: "default", name: "c" } });
  await assert.rejects(children.prune(world, owner, core.ConfigMap, [{ name: "a" }]), isConflict);
  assert.deepEqual(await names(), ["a", "c", "d"]);
  await world.close();
});
