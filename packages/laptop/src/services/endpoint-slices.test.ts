import assert from "node:assert/strict";
import { test } from "node:test";
import { core, discovery } from "@gatewright/kube/api";
import { serviceWorld } from "./testing/service-world.ts";

const inShop = (name: string) => ({ namespace: "shop", name });

test("a Service without pods has one empty slice, labelled like the Service and owned by it", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web", {}, { team: "a" });
  await world.until("there is a slice", async () => (await world.slices("web")).length === 1);
  const [slice] = await world.slices("web");
  assert.match(slice?.metadata.name ?? "", /^web-[a-z0-9]{5}$/);
  assert.equal(slice?.metadata.generateName, "web-");
  assert.equal(slice?.addressType, "IPv4");
  assert.deepEqual(slice?.endpoints ?? [], []);
  assert.deepEqual(slice?.ports ?? [], []);
  assert.deepEqual(slice?.metadata.labels, {
    team: "a",
    "kubernetes.io/service-name": "web",
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
  });
  assert.equal(slice?.metadata.ownerReferences?.[0]?.kind, "Service");
  assert.equal(slice?.metadata.ownerReferences?.[0]?.controller, true);
});

test("an endpoint says who it is, on which port and how it stands; named ports are looked up on each pod", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web");
  const pod = await world.createPod("one", { ip: "10.244.0.1" });
  await world.createPod("two", { ip: "10.244.0.2", ready: false, ports: [{ name: "web", containerPort: 9090 }] });
  await world.createPod("ended", { ip: "10.244.0.3", phase: "Succeeded" });
  await world.createPod("other", { ip: "10.244.0.4", labels: { app: "other" } });
  await world.createPod("new");
  await world.until(
    "both are told",
    async () => (await world.slices("web")).flatMap((s) => s.endpoints ?? []).length === 2,
  );
  const slices = (await world.slices("web")).toSorted((a, b) => (a.ports?.[0]?.port ?? 0) - (b.ports?.[0]?.port ?? 0));
  assert.deepEqual(
    slices.map(({ ports }) => ports),
    [[{ name: "http", port: 8080, protocol: "TCP" }], [{ name: "http", port: 9090, protocol: "TCP" }]],
  );
  assert.deepEqual(slices[0]?.endpoints, [
    {
      addresses: ["10.244.0.1"],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: "laptop",
      targetRef: { kind: "Pod", namespace: "shop", name: "one", uid: pod.metadata.uid },
    },
  ]);
  assert.deepEqual(slices[1]?.endpoints?.[0]?.conditions, { ready: false, serving: false, terminating: false });
});

test("a pod that is being deleted still serves and is not ready; then it is gone", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web");
  await world.createPod("one", { ip: "10.244.0.1" });
  const conditions = async () => (await world.slices("web"))[0]?.endpoints?.[0]?.conditions;
  await world.until("it is ready", async () => (await conditions())?.ready === true);
  await world.client.for(core.Pod).delete(inShop("one"), { gracePeriodSeconds: 30 });
  await world.until("it ends", async () => (await conditions())?.terminating === true);
  assert.deepEqual(await conditions(), { ready: false, serving: true, terminating: true });
  await world.client.for(core.Pod).delete(inShop("one"), { gracePeriodSeconds: 0 });
  await world.until("it is gone", async () => (await conditions()) === undefined);
});

test("publishNotReadyAddresses makes pods ready that are not", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web", { clusterIP: "None", publishNotReadyAddresses: true, ports: [] });
  await world.createPod("one", { ip: "10.244.0.1", ready: false });
  await world.until("it is told", async () => (await world.slices("web"))[0]?.endpoints?.length === 1);
  const [slice] = await world.slices("web");
  assert.deepEqual(slice?.endpoints?.[0]?.conditions, { ready: true, serving: false, terminating: false });
  assert.equal(slice?.metadata.labels?.["service.kubernetes.io/headless"], "");
});

test("a pod whose labels change leaves one Service for another", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web");
  await world.createService("shop");
  await world.createPod("one", { ip: "10.244.0.1" });
  const count = async (service: string) => (await world.slices(service))[0]?.endpoints?.length ?? 0;
  await world.until("web has it", async () => (await count("web")) === 1);
  await world.client.for(core.Pod).patch(inShop("one"), { merge: { metadata: { labels: { app: "shop" } } } });
  await world.until("shop has it", async () => (await count("shop")) === 1 && (await count("web")) === 0);
});

test("what does not change endpoints leads to no write, and what somebody broke is mended", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web");
  await world.createPod("one", { ip: "10.244.0.1" });
  await world.until("it is told", async () => (await world.slices("web"))[0]?.endpoints?.length === 1);
  const [slice] = await world.slices("web");
  assert.ok(slice);
  world.writes.length = 0;
  await world.client.for(core.Pod).patch(inShop("one"), { merge: { metadata: { annotations: { a: "b" } } } });
  await world.client.for(core.Service).patch(inShop("web"), { merge: { metadata: { annotations: { a: "b" } } } });
  const { name = "" } = slice.metadata;
  await world.client.for(discovery.EndpointSlice).patch(inShop(name), { merge: { endpoints: [] } });
  await world.until("it is mended", async () => (await world.slices("web"))[0]?.endpoints?.length === 1);
  assert.deepEqual(
    world.writes.filter((write) => write !== "PATCH endpointslices" && !write.endsWith(" ")),
    ["PUT endpointslices"],
  );
});

test("Services without a selector are left alone, and slices of others are not touched", async (t) => {
  const world = await serviceWorld(t);
  const labels = { "kubernetes.io/service-name": "bare" };
  await world.client.for(discovery.EndpointSlice).create({
    metadata: { ...inShop("bare-own"), labels },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"] }],
    ports: [],
  });
  await world.client.for(core.Service).create({ metadata: inShop("bare"), spec: { ports: [{ port: 80 }] } });
  await world.createService("web");
  await world.until("the other is served", async () => (await world.slices("web")).length === 1);
  const slices = await world.slices("bare");
  assert.deepEqual(
    slices.map(({ metadata }) => metadata.name),
    ["bare-own"],
  );
});

test("slices go with their Service", async (t) => {
  const world = await serviceWorld(t);
  await world.createService("web");
  await world.createPod("one", { ip: "10.244.0.1" });
  await world.until("it is told", async () => (await world.slices("web"))[0]?.endpoints?.length === 1);
  await world.client.for(core.Service).delete(inShop("web"));
  await world.until("nothing is left", async () => (await world.slices("web")).length === 0);
});
