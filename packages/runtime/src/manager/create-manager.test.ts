import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { core, events } from "@gatewright/kube/api";
import { done } from "../controller/outcome.ts";
import type { ControllerDefinition } from "../controller/definition.ts";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client.ts";
import { NotLeadingError } from "../lease/write-gate.ts";
import { createMetrics } from "@gatewright/telemetry";
import { createManager } from "./create-manager.ts";
import { eventually } from "./testing/eventually.ts";

const ConfigMap = core.ConfigMap;
type ConfigMap = core.ConfigMap;

/** A server without sockets, and a client of a bystander. */
async function world(): Promise<{ server: ApiServer; user: Client }> {
  const server = await createApiServer();
  return { server, user: createClient(server.transport(), { userAgent: "user" }) };
}

/** Doubles `data.n` of each ConfigMap that has the label `double` into a Secret that it owns. */
const doubling: ControllerDefinition<ConfigMap> = {
  name: "doubling",
  for: ConfigMap,
  scope: { labelSelector: "double" },
  owns: [core.Secret],
  access: [{ resource: core.Secret, verbs: ["create", "patch"] }],
  async reconcile({ object, client, events }) {
    if (object === undefined) return done();
    events.record(object, { type: "Normal", reason: "Doubled", note: "its Secret has twice as much" });
    const { name = "", namespace = "", uid = "" } = object.metadata;
    await client.for(core.Secret).apply({
      metadata: {
        name,
        namespace,
        ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }],
      },
      data: { n: Buffer.from(String(2 * Number(object.data?.["n"]))).toString("base64") },
    });
    return done();
  },
};

async function secretN(user: Client, name: string): Promise<number | undefined> {
  const secret = await user.for(core.Secret).find({ namespace: "default", name });
  const data = secret?.data?.["n"];
  return data === undefined ? undefined : Number(Buffer.from(data, "base64").toString());
}

test("a controller brings about what objects ask for, follows changes, and repairs what it owns", async () => {
  const { server, user } = await world();
  const maps = user.for(ConfigMap);
  await maps.create({ metadata: { name: "before", namespace: "default", labels: { double: "" } }, data: { n: "1" } });
  const metrics = createMetrics();
  const manager = createManager({ name: "test", transport: server.transport(), metrics });
  manager.add(doubling);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  await eventually("what was there before is done", async () => (await secretN(user, "before")) === 2);
  await maps.create({ metadata: { name: "later", namespace: "default", labels: { double: "" } }, data: { n: "5" } });
  await eventually("a new object is done", async () => (await secretN(user, "later")) === 10);
  await maps.patch({ namespace: "default", name: "later" }, { merge: { data: { n: "6" } } });
  await eventually("a change is followed", async () => (await secretN(user, "later")) === 12);
  await user.for(core.Secret).delete({ namespace: "default", name: "before" });
  await eventually("an owned object that somebody deleted is back", async () => (await secretN(user, "before")) === 2);
  assert.deepEqual(
    manager.health("ready").filter(({ problem }) => problem !== undefined),
    [],
  );
  stop.abort();
  await running;
  const { body } = metrics.exposition();
  assert.match(body, /^rest_client_requests_total\{code="201",method="PATCH",host="apiserver"\} [1-9]/m);
  assert.match(body, /^controller_runtime_reconcile_total\{controller="doubling",result="success"\} [1-9]/m);
  const { items } = await user.for(events.Event).list({ namespace: "default" });
  const told = items.filter(({ reason }) => reason === "Doubled").map(({ regarding }) => regarding?.name ?? "");
  assert.deepEqual(new Set(told), new Set(["before", "later"]), "what was recorded is written before the lease goes");
  await server.close();
});

test("an object is cleaned up after before its finalizer lets it go", async () => {
  const { server, user } = await world();
  const cleaned: string[] = [];
  const manager = createManager({ name: "test", transport: server.transport() });
  manager.add({
    name: "tidy",
    for: ConfigMap,
    scope: { namespace: "default", labelSelector: "tidy" },
    access: [{ resource: ConfigMap, verbs: ["patch"] }],
    async reconcile({ object, ref, client }) {
      if (object === undefined) return done();
      const { finalizers = [], deletionTimestamp } = object.metadata;
      if (deletionTimestamp !== undefined) cleaned.push(ref.name);
      const wanted = deletionTimestamp === undefined ? ["example.com/tidy"] : [];
      if (finalizers.join() === wanted.join()) return done();
      const written = await client.for(ConfigMap).patch(ref, { merge: { metadata: { finalizers: wanted } } });
      assert.deepEqual(written.metadata.finalizers ?? [], wanted);
      return done();
    },
  });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  const ref = { namespace: "default", name: "a" };
  const maps = user.for(ConfigMap);
  await maps.create({ metadata: { ...ref, labels: { tidy: "" } } });
  await eventually("it has a finalizer", async () => (await maps.get(ref)).metadata.finalizers?.length === 1);
  await maps.delete(ref);
  await eventually("it is gone", async () => (await maps.find(ref)) === undefined);
  assert.deepEqual(cleaned, ["a"]);
  stop.abort();
  await running;
  await server.close();
});

test("two controllers of one kind share one watch, and nothing is read from a cache that is not whole", async () => {
  const { server, user } = await world();
  for (let i = 0; i < 20; i++) {
    await user.for(ConfigMap).create({ metadata: { name: `m-${i}`, namespace: "default", labels: { mine: "" } } });
  }
  const watches: string[] = [];
  const inner = server.transport();
  const manager = createManager({
    name: "test",
    transport: (request) => {
      if (request.path.includes("watch=")) watches.push(request.path);
      return inner(request);
    },
  });
  const seen = { one: new Set<number>(), two: new Set<number>() };
  for (const name of ["one", "two"] as const) {
    manager.add({
      name,
      for: ConfigMap,
      scope: { namespace: "default", labelSelector: "mine" },
      concurrency: 5,
      reconcile: async ({ cached }) => (seen[name].add(cached(ConfigMap).list().length), done()),
    });
  }
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  await eventually("both have run", () => seen.one.size > 0 && seen.two.size > 0);
  assert.deepEqual([seen.one, seen.two], [new Set([20]), new Set([20])]);
  assert.equal(watches.filter((path) => path.includes("configmaps")).length, 1);
  stop.abort();
  await running;
  await server.close();
});

test("a write is in the cache when it is acknowledged: the next run never sees the time before it", async () => {
  const { server, user } = await world();
  const manager = createManager({ name: "test", transport: server.transport() });
  const stale: string[] = [];
  const written = new Map<string, number>();
  manager.add({
    name: "counting",
    for: ConfigMap,
    scope: { namespace: "default", labelSelector: "mine" },
    concurrency: 3,
    access: [{ resource: ConfigMap, verbs: ["patch"] }],
    async reconcile({ object, ref, key, client, cached }) {
      const n = Number(object?.data?.["n"] ?? 0);
      if (n < (written.get(key) ?? 0)) stale.push(`${key} ${n}`);
      if (n >= 10) return done();
      await client.for(ConfigMap).patch(ref, { merge: { data: { n: String(n + 1) } } });
      written.set(key, n + 1);
      if (cached(ConfigMap).get(ref)?.data?.["n"] !== String(n + 1)) stale.push(`${key} after writing ${n + 1}`);
      return done();
    },
  });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  for (let i = 0; i < 10; i++) {
    await user.for(ConfigMap).create({ metadata: { name: `m-${i}`, namespace: "default", labels: { mine: "" } } });
  }
  await eventually("all have counted to ten", () => [...written.values()].filter((n) => n === 10).length === 10);
  assert.deepEqual(stale, []);
  stop.abort();
  await running;
  await server.close();
});

test("a wrong definition ends the run before it begins, and says what is wrong", async () => {
  const { server } = await world();
  const run = async (...controllers: ControllerDefinition<ConfigMap>[]): Promise<void> => {
    const manager = createManager({ name: "test", transport: server.transport() });
    for (const controller of controllers) manager.add(controller);
    await manager.run(AbortSignal.abort());
  };
  await assert.rejects(run(doubling, doubling), /two controllers are named doubling/);
  await assert.rejects(run({ ...doubling, name: "Not A Name" }), /does not name a controller/);
  await assert.rejects(run({ ...doubling, concurrency: 0 }), /0 objects at once/);
  await run(doubling, { ...doubling, name: "tripling" });
  await server.close();
});

test("readiness tells which cache is not whole and why", async () => {
  const { server } = await world();
  const manager = createManager({ name: "test", transport: server.transport() });
  manager.add({ ...doubling, for: { ...ConfigMap, group: "example.com", plural: "gizmos", kind: "Gizmo" } });
  const problems = (): string[] =>
    manager.health("ready").flatMap(({ name, problem }) => (problem === undefined ? [] : [name]));
  assert.deepEqual(problems(), ["cache/gizmos.example.com", "cache/secrets"]);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  await eventually("Secrets are listed", () => problems().join() === "cache/gizmos.example.com");
  manager.addCheck({
    name: "mine",
    for: "live",
    problem() {
      throw new Error("secret");
    },
  });
  assert.deepEqual(manager.health("live").at(-1), { name: "mine", problem: "the check itself failed" });
  stop.abort();
  await running;
  assert.ok(problems().includes("stopping"));
  await server.close();
});

test("the gate is that of the client: closed until the lease is held, open where there is none", async () => {
  const { server } = await world();
  const transport = server.transport();
  createManager({ name: "test", transport }).gate.check();
  const lease = { namespace: "default", name: "gate", identity: "a" };
  const manager = createManager({ name: "test", transport, lease });
  assert.throws(() => manager.gate.check(), NotLeadingError);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  await eventually("this process leads", () => manager.gate.validUntil() > 0);
  manager.gate.check();
  stop.abort();
  await running;
  assert.throws(() => manager.gate.check(), NotLeadingError);
});
