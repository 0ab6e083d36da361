import assert from "node:assert/strict";
import { test } from "node:test";
import type { GroupResource, KubeObject, OwnerReference } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import fc from "fast-check";
import { startGarbageCollector } from "./garbage-collector.ts";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { fakeResource } from "./testing/fake-resource.ts";
import { unlessGone } from "./unless-gone.ts";

const THINGS: GroupResource = { group: "", resource: "things" };
const BIGS: GroupResource = { group: "", resource: "bigs" };

function world() {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [fakeResource("Thing"), fakeResource("Big", { namespaced: false })]);
  const reports: string[] = [];
  const collector = startGarbageCollector(cluster, { clock, report: (message) => reports.push(message) });
  const settle = async (): Promise<void> => {
    await collector.idle();
    while (clock.pending > 0) {
      clock.advance(60_000);
      await collector.idle();
    }
  };
  const make = (name: string, owners: OwnerReference[] = [], extra: Partial<KubeObject["metadata"]> = {}) =>
    cluster.create(THINGS, thing(name, owners, extra));
  const names = (): string[] => [...cluster.list(THINGS)].map((o) => o.metadata.name ?? "");
  const remove = (name: string, propagationPolicy: "Background" | "Foreground" | "Orphan" = "Background") =>
    cluster.delete(THINGS, "ns", name, { propagationPolicy });
  return { clock, cluster, collector, reports, settle, make, names, remove };
}

function thing(name: string, ownerReferences: OwnerReference[], extra: Partial<KubeObject["metadata"]>): KubeObject {
  const metadata = { name, namespace: "ns", ...(ownerReferences.length > 0 && { ownerReferences }), ...extra };
  return { apiVersion: "v1", kind: "Thing", metadata };
}

function ref(owner: KubeObject, blockOwnerDeletion?: boolean): OwnerReference {
  const { name = "", uid = "" } = owner.metadata;
  const { apiVersion, kind } = owner;
  return { apiVersion, kind, name, uid, ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }) };
}

test("the dependents of a deleted owner go, and theirs", async () => {
  const { make, remove, settle, names } = world();
  const owner = await make("owner");
  const child = await make("child", [ref(owner)]);
  await make("grandchild", [ref(child)]);
  await make("stranger");
  await remove("owner");
  await settle();
  assert.deepEqual(names(), ["stranger"]);
});

test("an object with another living owner stays and loses the reference to the dead one", async () => {
  const { cluster, make, remove, settle, names } = world();
  const [a, b] = [await make("a"), await make("b")];
  await make("child", [ref(a), ref(b)]);
  await remove("a");
  await settle();
  assert.deepEqual(names(), ["b", "child"]);
  assert.deepEqual(cluster.get(THINGS, "ns", "child")?.metadata.ownerReferences, [ref(b)]);
});

test("an owner deleted in the foreground outlives the dependents that block it", async () => {
  const { cluster, make, remove, settle, names } = world();
  const owner = await make("owner");
  await make("blocking", [ref(owner, true)], { finalizers: ["example.com/wait"] });
  await make("other", [ref(owner)], { finalizers: ["example.com/wait"] });
  await remove("owner", "Foreground");
  await settle();
  assert.deepEqual(names(), ["blocking", "other", "owner"]);
  await cluster.edit(THINGS, "ns", "blocking", (o) => void (o.metadata.finalizers = []));
  await settle();
  assert.deepEqual(names(), ["other"], "the one that does not block is not waited for");
});

test("orphaning leaves the dependents without the reference", async () => {
  const { cluster, make, remove, settle, names } = world();
  const owner = await make("owner");
  await make("child", [ref(owner, true)]);
  await remove("owner", "Orphan");
  await settle();
  assert.deepEqual(names(), ["child"]);
  assert.equal(cluster.get(THINGS, "ns", "child")?.metadata.ownerReferences, undefined);
});

test("a cycle of blocking owners can be deleted in the foreground", async () => {
  const { cluster, make, remove, settle, names } = world();
  const a = await make("a");
  const b = await make("b", [ref(a, true)]);
  await cluster.edit(THINGS, "ns", "a", (o) => void (o.metadata.ownerReferences = [ref(b, true)]));
  await settle();
  assert.deepEqual(names(), ["a", "b"], "nobody asked for a deletion yet");
  await remove("a", "Foreground");
  await settle();
  assert.deepEqual(names(), []);
});

test("an owner that never existed, has another uid or is in another namespace does not keep its dependents", async () => {
  const { cluster, make, settle, names } = world();
  const owner = await make("owner");
  await make("no-such-owner", [{ ...ref(owner), name: "nobody" }]);
  await make("wrong-uid", [{ ...ref(owner), uid: "other" }]);
  await cluster.create(THINGS, thing("elsewhere", [ref(owner)], { namespace: "elsewhere" }));
  await settle();
  assert.deepEqual(names(), ["owner"]);
});

test("a cluster-scoped owner keeps objects in any namespace", async () => {
  const { cluster, make, settle, names } = world();
  const big = await cluster.create(BIGS, { apiVersion: "v1", kind: "Big", metadata: { name: "big" } });
  await make("child", [ref(big)]);
  await settle();
  assert.deepEqual(names(), ["child"]);
  await cluster.delete(BIGS, "", "big");
  await settle();
  assert.deepEqual(names(), []);
});

test("a cluster-scoped object with an owner in a namespace is left alone", async () => {
  const { cluster, make, remove, settle } = world();
  const owner = await make("owner");
  const metadata = { name: "big", ownerReferences: [ref(owner)] };
  await cluster.create(BIGS, { apiVersion: "v1", kind: "Big", metadata });
  await settle();
  assert.ok(cluster.get(BIGS, "", "big"));
  await remove("owner");
  await settle();
  assert.equal(cluster.get(BIGS, "", "big"), undefined, "once the owner was seen to go, the reference dangles");
});

test("an owner of a kind that is not served keeps its dependents until the kind is served and the owner is missing", async () => {
  const { cluster, make, settle, names } = world();
  await make("child", [{ apiVersion: "example.com/v1", kind: "Widget", name: "w", uid: "w" }]);
  await settle();
  assert.deepEqual(names(), ["child"]);
  cluster.resources.set(fakeResource("Widget", { group: "example.com" }));
  await settle();
  assert.deepEqual(names(), []);
});

test("custom resources that are served later are collected too", async () => {
  const { cluster, make, remove, settle } = world();
  cluster.resources.set(fakeResource("Widget", { group: "example.com" }));
  const owner = await make("owner");
  const widgets = { group: "example.com", resource: "widgets" };
  const metadata = { name: "w", namespace: "ns", ownerReferences: [ref(owner)] };
  await cluster.create(widgets, { apiVersion: "example.com/v1", kind: "Widget", metadata });
  await remove("owner");
  await settle();
  assert.deepEqual([...cluster.list(widgets)], []);
});

test("owners that vanished before the start are noticed", async () => {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [fakeResource("Thing")]);
  const owner = await cluster.create(THINGS, thing("owner", [], {}));
  await cluster.create(THINGS, thing("child", [ref(owner)], {}));
  await cluster.create(
    THINGS,
    thing("dying", [], { finalizers: ["foregroundDeletion"], deletionTimestamp: "2030-01-01T00:00:00Z" }),
  );
  await cluster.delete(THINGS, "ns", "owner");
  const collector = startGarbageCollector(cluster, { clock, report: () => {} });
  await collector.idle();
  assert.deepEqual([...cluster.list(THINGS)], []);
});

test("a failed deletion is reported and tried again", async () => {
  const { cluster, clock, collector, make, remove, names, reports } = world();
  await make("child", [ref(await make("owner"))]);
  let failures = 2;
  cluster.interfere = (verb, name) =>
    verb === "delete" && name === "child" && failures-- > 0 ? new Error("no") : undefined;
  await remove("owner");
  await collector.idle();
  assert.deepEqual(names(), ["child"]);
  clock.advance(5);
  await collector.idle();
  clock.advance(10);
  await collector.idle();
  assert.deepEqual(names(), []);
  assert.equal(reports.length, 2);
});

test("after it was stopped nothing is collected", async () => {
  const { collector, make, remove, names } = world();
  await make("child", [ref(await make("owner"))]);
  await collector.idle();
  await collector.stop();
  await remove("owner");
  await collector.idle();
  assert.deepEqual(names(), ["child"]);
});

test("whatever is deleted in whatever graph, exactly the objects with a living owner or none remain", async () => {
  const size = 8;
  const index = fc.nat({ max: size - 1 });
  const graph = fc.record({
    edges: fc.uniqueArray(fc.tuple(index, index, fc.boolean()), { maxLength: 16, selector: ([a, b]) => a * size + b }),
    deletions: fc.array(fc.tuple(index, fc.constantFrom("Background" as const, "Foreground" as const)), {
      maxLength: 4,
    }),
  });
  await fc.assert(
    fc.asyncProperty(graph, async ({ edges, deletions }) => {
      const { cluster, collector, make, remove, settle, names } = world();
      const objects = await Promise.all(Array.from({ length: size }, (_, n) => make(`n${n}`)));
      const owners = (n: number) => edges.filter(([dependent]) => dependent === n);
      for (let n = 0; n < size; n++) {
        const references = owners(n).map(([, owner, blocking]) => ref(objects[owner]!, blocking));
        await cluster.edit(THINGS, "ns", `n${n}`, (o) => void (o.metadata.ownerReferences = references));
      }
      await settle();
      assert.equal(names().length, size);
      for (const [n, policy] of deletions) {
        await unlessGone(remove(`n${n}`, policy));
      }
      await settle();
      const gone = new Set(deletions.map(([n]) => n));
      for (let before = -1; before !== gone.size;) {
        before = gone.size;
        for (let n = 0; n < size; n++) {
          if (owners(n).length > 0 && owners(n).every(([, owner]) => gone.has(owner))) gone.add(n);
        }
      }
      const expected = Array.from({ length: size }, (_, n) => n).filter((n) => !gone.has(n));
      assert.deepEqual(
        names(),
        expected.map((n) => `n${n}`),
      );
      await collector.stop();
    }),
    { numRuns: 300 },
  );
});
