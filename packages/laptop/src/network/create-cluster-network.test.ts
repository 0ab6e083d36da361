import assert from "node:assert/strict";
import { test } from "node:test";
import { core, discovery } from "@gatewright/kube/api";
import { serviceWorld } from "../services/testing/service-world.ts";
import type { Address } from "./cluster-network.ts";
import { createClusterNetwork } from "./create-cluster-network.ts";

const inShop = (name: string) => ({ namespace: "shop", name });
const local = (port: number): Address => ({ host: "127.0.0.1", port });

test("a port of a pod leads where the kubelet says, until it is withdrawn", () => {
  const network = createClusterNetwork();
  network.publish("10.244.0.1", 8080, local(40001));
  assert.deepEqual(network.resolve("10.244.0.1", 8080), local(40001));
  assert.equal(network.resolve("10.244.0.1", 8081), undefined);
  network.withdraw("10.244.0.1");
  assert.equal(network.resolve("10.244.0.1", 8080), undefined);
});

test("addresses of a Service lead to its ready pods in turn, to ending ones when no other is left, then nowhere", async (t) => {
  const world = await serviceWorld(t);
  const network = createClusterNetwork({ nodeIPs: ["192.0.2.10"] });
  network.follow(world.manager.cache);
  for (const n of [1, 2, 3]) network.publish(`10.244.0.${n}`, 8080, local(40000 + n));
  await world.createService("web", { type: "NodePort" });
  await world.createPod("one", { ip: "10.244.0.1" });
  await world.createPod("two", { ip: "10.244.0.2" });
  await world.createPod("three", { ip: "10.244.0.3", ready: false });
  const { spec } = await world.client.for(core.Service).get(inShop("web"));
  const [clusterIP = "", nodePort = 0] = [spec?.clusterIP, spec?.ports?.[0]?.nodePort];
  const reached = (ip: string, port: number) =>
    [...new Set(Array.from({ length: 4 }, () => String(network.resolve(ip, port)?.port)))].sort();

  await world.until("both are reached", () => reached(clusterIP, 80).length === 2);
  assert.deepEqual(reached(clusterIP, 80), ["40001", "40002"]);
  assert.deepEqual(reached("192.0.2.10", nodePort), ["40001", "40002"]);
  assert.deepEqual(reached(clusterIP, nodePort), ["undefined"]);
  assert.deepEqual(reached("192.0.2.11", nodePort), ["undefined"]);

  await world.setReady("one", false);
  await world.until("one is left out", () => reached(clusterIP, 80).length === 1);
  assert.deepEqual(reached(clusterIP, 80), ["40002"]);
  await world.client.for(core.Pod).delete(inShop("two"), { gracePeriodSeconds: 30 });
  const ending = async () => (await world.slices("web"))[0]?.endpoints?.some((e) => e.conditions?.terminating === true);
  await world.until("two ends", async () => (await ending()) === true);
  assert.deepEqual(reached(clusterIP, 80), ["40002"]);
  network.withdraw("10.244.0.2");
  assert.deepEqual(reached(clusterIP, 80), ["undefined"]);
});

test("endpoints that somebody wrote for a Service without a selector are dialled as they are", async (t) => {
  const world = await serviceWorld(t);
  const network = createClusterNetwork();
  network.follow(world.manager.cache);
  await world.client.for(core.Service).create({ metadata: inShop("db"), spec: { ports: [{ port: 5432 }] } });
  await world.client.for(discovery.EndpointSlice).create({
    metadata: { ...inShop("db-1"), labels: { "kubernetes.io/service-name": "db" } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"] }],
    ports: [{ port: 15432 }],
  });
  const { spec } = await world.client.for(core.Service).get(inShop("db"));
  await world.until("it is reached", () => network.resolve(spec?.clusterIP ?? "", 5432) !== undefined);
  assert.deepEqual(network.resolve(spec?.clusterIP ?? "", 5432), { host: "192.0.2.1", port: 15432 });
});
