import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError, tooManyRequests } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { aborted } from "@gatewright/ports";
import { NotLeadingError } from "../lease/write-gate.ts";
import { LOW_PRIORITY } from "../queue/queue.ts";
import { AccessNotDeclaredError } from "./access.ts";
import { after, done, retry, terminal } from "./outcome.ts";
import { configMap, controllerWorld, settle } from "./testing/controller-world.ts";
import type { ControllerWorld } from "./testing/controller-world.ts";
import { watching } from "./watching.ts";

async function end(world: ControllerWorld): Promise<void> {
  world.stop.abort();
  await world.ended;
  await settle();
  assert.equal(world.clock.pending, 0, "no timer is left");
}

function metric(world: ControllerWorld, line: string): void {
  const { body } = world.metrics.exposition();
  assert.ok(body.includes(`${line}\n`), `${line} in\n${body}`);
}

test("nothing runs before everything that is watched is whole, and then what was there already runs once", async () => {
  const runs: string[] = [];
  const world = await controllerWorld(
    {
      owns: [core.Secret],
      reconcile: async ({ key, object }) => {
        runs.push(`${key} ${object?.data?.["n"]}`);
        return done();
      },
    },
    { synced: false, objects: [configMap("a", { data: { n: "1" } }), configMap("b", { data: { n: "1" } })] },
  );
  world.maps.sync();
  await settle();
  assert.deepEqual(runs, [], "Secrets are not listed yet");
  world.maps.put(configMap("a", { data: { n: "2" } }));
  world.cache.informer(core.Secret).sync();
  await settle();
  assert.deepEqual(runs, ["ns/a 2", "ns/b 1"]);
  await end(world);
});

test("what changes runs before what was there at the start and what is looked at anew", async () => {
  const runs: string[] = [];
  const first = Promise.withResolvers<void>();
  const world = await controllerWorld(
    {
      resyncMs: 1000,
      reconcile: async ({ key }) => {
        runs.push(key);
        if (runs.length === 1) await first.promise;
        return done();
      },
    },
    { objects: ["a", "b", "c"].map((name) => configMap(name)) },
  );
  assert.equal(world.maps.resyncMs, 1000);
  world.maps.put(configMap("c", { data: { n: "1" } }));
  first.resolve();
  await settle();
  assert.deepEqual(runs, ["ns/a", "ns/c", "ns/b"]);
  world.maps.resync();
  await settle();
  assert.equal(runs.length, 6);
  await end(world);
});

test("as many objects as allowed run at once, one object never twice", async () => {
  const running = new Set<string>();
  let most = 0;
  const release = Promise.withResolvers<void>();
  const world = await controllerWorld(
    {
      concurrency: 2,
      reconcile: async ({ key }) => {
        assert.ok(!running.has(key));
        running.add(key);
        most = Math.max(most, running.size);
        await release.promise;
        running.delete(key);
        return done();
      },
    },
    { objects: ["a", "b", "c"].map((name) => configMap(name)) },
  );
  world.maps.put(configMap("a", { data: { n: "1" } }));
  assert.deepEqual([...world.controller.running()].sort(), ["ns/a", "ns/b"]);
  metric(world, 'controller_runtime_active_workers{controller="maps"} 2');
  release.resolve();
  await settle();
  assert.equal(most, 2);
  metric(world, 'controller_runtime_reconcile_total{controller="maps",result="success"} 4');
  await end(world);
});

test("failures are tried again after 5, 10, 20 ms; success begins anew", async () => {
  const at: number[] = [];
  const world = await controllerWorld({
    telling: ({ data }) => ({ colour: data?.["colour"] ?? "none" }),
    reconcile: async ({ failures }) => {
      at.push(world.clock.monotonic());
      if (failures === 3) return done();
      return failures === 1 ? retry(new Error("no luck")) : Promise.reject(new Error("no luck"));
    },
  });
  world.maps.put(configMap("a"));
  for (let ms = 0; ms < 60; ms++) {
    await settle();
    world.clock.advance(1);
  }
  assert.deepEqual(at, [0, 5, 15, 35]);
  metric(world, 'controller_runtime_reconcile_errors_total{controller="maps"} 3');
  const warning = world.lines.find(({ level }) => level === "warn");
  assert.deepEqual(
    ["controller", "namespace", "name", "colour"].map((field) => warning?.fields[field]),
    ["maps", "ns", "a", "none"],
  );
  assert.match(String(warning?.fields["reconcileID"]), /^[0-9a-f-]{36}$/);
  await end(world);
});

test("a server that asks for time is given it", async () => {
  let runs = 0;
  const world = await controllerWorld({
    reconcile: async () => (++runs === 1 ? retry(tooManyRequests("busy", 7)) : done()),
  });
  world.maps.put(configMap("a"));
  await settle();
  world.clock.advance(6999);
  await settle();
  assert.equal(runs, 1);
  world.clock.advance(1);
  await settle();
  assert.equal(runs, 2);
  await end(world);
});

test("an object that asked to be looked at later is, unless it changes first", async () => {
  let runs = 0;
  const world = await controllerWorld({ reconcile: async () => (++runs, after(1000)) });
  world.maps.put(configMap("a"));
  await settle();
  world.clock.advance(500);
  world.maps.put(configMap("a", { data: { n: "1" } }));
  await settle();
  assert.equal(runs, 2);
  world.clock.advance(999);
  await settle();
  assert.equal(runs, 2, "the change counts as the look");
  world.clock.advance(1);
  await settle();
  assert.equal(runs, 3);
  metric(world, 'controller_runtime_reconcile_total{controller="maps",result="requeue_after"} 3');
  await end(world);
});

test("a terminal failure is told once and not tried again until something changes", async () => {
  let runs = 0;
  const world = await controllerWorld({ reconcile: async () => (++runs, terminal(new Error("never"))) });
  world.maps.put(configMap("a"));
  await settle();
  world.clock.advance(10_000_000);
  await settle();
  assert.equal(runs, 1);
  world.maps.put(configMap("a", { data: { n: "1" } }));
  await settle();
  assert.equal(runs, 2);
  metric(world, 'controller_runtime_terminal_reconcile_errors_total{controller="maps"} 2');
  assert.equal(world.lines.filter(({ level }) => level === "error").length, 2);
  await end(world);
});

test("whatever a reconcile throws or returns, the controller survives it", async () => {
  const ways: (() => unknown)[] = [
    () => Promise.reject("a string"),
    () => Promise.reject(undefined),
    () => {
      throw new TypeError("at once");
    },
    () => undefined,
    () => ({ kind: "nonsense" }),
  ];
  let runs = 0;
  const world = await controllerWorld({
    reconcile: (async () => (runs < ways.length ? ways[runs++]?.() : done())) as never,
  });
  world.maps.put(configMap("a"));
  for (let i = 0; i < 20; i++) {
    await settle();
    world.clock.advance(1000);
  }
  assert.equal(runs, ways.length);
  metric(world, 'controller_runtime_reconcile_panics_total{controller="maps"} 5');
  metric(world, 'controller_runtime_reconcile_total{controller="maps",result="success"} 1');
  await end(world);
});

test("a reconcile that takes too long is aborted, counts as failed, and can call nothing any more", async () => {
  const gaveUp: unknown[] = [];
  const world = await controllerWorld({
    timeoutMs: 100,
    reconcile: async ({ signal, client }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await client
        .for(core.ConfigMap)
        .get({ namespace: "ns", name: "a" })
        .catch((error: unknown) => gaveUp.push(error));
      return done();
    },
  });
  world.maps.put(configMap("a"));
  await settle();
  world.clock.advance(100);
  await settle();
  assert.equal(gaveUp.length, 1);
  metric(world, 'controller_runtime_reconcile_timeouts_total{controller="maps"} 1');
  metric(world, 'controller_runtime_reconcile_total{controller="maps",result="error"} 1');
  await end(world);
});

test("a reconcile that does not heed its abort is told as stuck; its object does not run a second time meanwhile", async () => {
  let runs = 0;
  const release = Promise.withResolvers<void>();
  const world = await controllerWorld({
    timeoutMs: 100,
    concurrency: 2,
    reconcile: async () => (++runs, await release.promise, done()),
  });
  world.maps.put(configMap("a"));
  await settle();
  world.maps.put(configMap("a", { data: { n: "1" } }));
  world.clock.advance(201);
  await settle();
  assert.deepEqual([runs, world.controller.stuck()], [1, ["ns/a"]]);
  release.resolve();
  await settle();
  assert.equal(runs, 2);
  await end(world);
});

test("a doubtful lease is not the object's failure, and a conflict is not worth a warning", async () => {
  const errors = [
    new NotLeadingError(),
    new Error("wrapped", { cause: new NotLeadingError() }),
    new StatusError({ code: 409, reason: "Conflict", message: "modified" }),
  ];
  const failures: number[] = [];
  const world = await controllerWorld({
    reconcile: async (context) => {
      failures.push(context.failures);
      const error = errors.shift();
      if (error !== undefined) throw error;
      return done();
    },
  });
  world.maps.put(configMap("a"));
  for (let i = 0; i < 4; i++) {
    await settle();
    world.clock.advance(1000);
  }
  assert.deepEqual(failures, [0, 0, 0, 1]);
  metric(world, 'controller_runtime_reconcile_errors_total{controller="maps"} 0');
  assert.deepEqual(
    world.lines.map(({ level }) => level),
    ["info", "debug"],
  );
  await end(world);
});

test("after a stop nothing starts, what runs is told and awaited, and its failure is nobody's", async () => {
  let runs = 0;
  const release = Promise.withResolvers<void>();
  let told = false;
  const world = await controllerWorld(
    {
      reconcile: async ({ signal }) => {
        runs++;
        signal.addEventListener("abort", () => (told = true));
        await release.promise;
        throw signal.reason;
      },
    },
    { objects: [configMap("a"), configMap("b")] },
  );
  let ended = false;
  void world.ended.then(() => (ended = true));
  world.stop.abort();
  world.maps.put(configMap("c"));
  await settle();
  assert.deepEqual([runs, told, ended], [1, true, false]);
  release.resolve();
  await end(world);
  assert.equal(runs, 1);
  assert.equal(world.maps.listeners.size, 0);
  metric(world, 'controller_runtime_reconcile_errors_total{controller="maps"} 0');
});

test("owned objects lead to the owner that controls them, watched ones to whom they name now and named before", async () => {
  const runs: string[] = [];
  const owner = { apiVersion: "v1", kind: "ConfigMap", uid: "1" };
  const world = await controllerWorld({
    owns: [core.Secret],
    watches: [
      watching(core.Pod, {
        map: ({ metadata }) => [{ namespace: "ns", name: metadata.labels?.["map"] ?? "" }],
        when: (pod, previous) => (pod ?? previous)?.metadata.name !== "boring",
      }),
    ],
    reconcile: async ({ key }) => (runs.push(key), done()),
  });
  const ran = async (): Promise<string[]> => (await settle(), runs.splice(0).sort());
  const secrets = world.cache.informer(core.Secret);
  const secret = (name: string, controller: boolean): core.Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "ns", name, ownerReferences: [{ ...owner, name: "a", controller }] },
  });
  secrets.put(secret("x", true));
  assert.deepEqual(await ran(), ["ns/a"]);
  secrets.put(secret("y", false));
  assert.deepEqual(await ran(), []);
  secrets.delete("ns/x");
  assert.deepEqual(await ran(), ["ns/a"]);

  const pods = world.cache.informer(core.Pod);
  const pod = (name: string, map: string): core.Pod => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "ns", name, labels: { map } },
  });
  pods.put(pod("p", "one"));
  assert.deepEqual(await ran(), ["ns/one"]);
  pods.put(pod("p", "two"));
  assert.deepEqual(await ran(), ["ns/one", "ns/two"]);
  pods.put(pod("boring", "three"));
  assert.deepEqual(await ran(), []);
  pods.put(pod("p", ""));
  assert.deepEqual(await ran(), [], "a map that throws costs its change");
  assert.ok(world.lines.some(({ level, message }) => level === "error" && /mapped/.test(message)));
  await end(world);
});

test("sources of other systems enqueue keys, and are started again when they fail", async () => {
  const runs: string[] = [];
  let starts = 0;
  const world = await controllerWorld({
    sources: [
      async (enqueue, signal) => {
        starts++;
        enqueue({ namespace: "ns", name: `from-${starts}` });
        if (starts < 3) throw new Error("broken pipe");
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    ],
    reconcile: async ({ key, object }) => (runs.push(`${key} ${object}`), done()),
  });
  world.clock.advance(1000);
  await settle();
  world.clock.advance(2000);
  await settle();
  assert.deepEqual(runs, ["ns/from-1 undefined", "ns/from-2 undefined", "ns/from-3 undefined"]);
  await end(world);
});

test("what a source gives low priority to runs after all else", async () => {
  const runs: string[] = [];
  const first = Promise.withResolvers<void>();
  const world = await controllerWorld({
    sources: [
      async (enqueue, signal) => {
        for (const name of ["first", "many", "more"]) enqueue({ namespace: "ns", name }, LOW_PRIORITY);
        enqueue({ namespace: "ns", name: "edited" });
        await aborted(signal);
      },
    ],
    reconcile: async ({ key }) => {
      runs.push(key);
      if (runs.length === 1) await first.promise;
      return done();
    },
  });
  first.resolve();
  await settle();
  assert.deepEqual(runs.slice(-2), ["ns/many", "ns/more"]);
  await end(world);
});

test("what a controller has not declared does not leave, and the error says what to add; trying again is no use", async () => {
  const errors: unknown[] = [];
  const world = await controllerWorld({
    access: [{ resource: core.ConfigMap, verbs: ["patch"], subresource: "status" }],
    reconcile: async ({ client, cached }) => {
      assert.throws(() => cached(core.Node), /does not watch Node/);
      assert.deepEqual(cached(core.ConfigMap).list().length, 1);
      await client.for(core.ConfigMap).get({ namespace: "ns", name: "a" });
      await client.for(core.ConfigMap).status.patch({ namespace: "ns", name: "a" }, { merge: {} });
      await client.request({ method: "GET", path: "/version" });
      await assert.rejects(client.request({ method: "GET", path: "/api/v1/secrets" }), /client.for/);
      await assert.rejects(client.request({ method: "POST", path: "/version" }), /client.for/);
      const secrets = client.with({ dryRun: true }).for(core.Secret);
      try {
        await secrets.create({ metadata: { name: "s", namespace: "ns" } });
      } catch (error) {
        errors.push(error);
        throw error;
      }
      return done();
    },
  });
  world.maps.put(configMap("a"));
  await settle();
  world.clock.advance(1000);
  await settle();
  assert.equal(errors.length, 1);
  assert.ok(errors[0] instanceof AccessNotDeclaredError);
  assert.equal(
    errors[0].message,
    'controller maps does not declare that it may create secrets; add { resource: Secret, verbs: ["create"] } to its access',
  );
  assert.deepEqual(
    world.requests.map((request) => request.split("?")[0]),
    ["GET /api/v1/namespaces/ns/configmaps/a", "PATCH /api/v1/namespaces/ns/configmaps/a/status", "GET /version"],
  );
  await end(world);
});
