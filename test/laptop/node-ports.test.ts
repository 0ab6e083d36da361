import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { applyApplication, ask, laptopWorld, NAMESPACE, publish, until, versionOf } from "./laptop-world.ts";

test("a Service with a node port is reached through the node, as load balancers do by default", async () => {
  await using world = await laptopWorld();
  const { client, laptop, faults } = world;
  await applyApplication(client, { name: "web", version: "v1", replicas: 1 });
  await client.for(core.Service).apply({
    metadata: { namespace: NAMESPACE, name: "web-on-nodes" },
    spec: {
      type: "NodePort",
      selector: { "cloudnative.elide.dev/application": "web" },
      ports: [{ name: "http", port: 80, targetPort: 8080 }],
    },
  });
  await publish(client, "nodes.example.com", "web-on-nodes", "instance");
  await until("requests are answered", async () => versionOf(await ask(laptop, "nodes.example.com")) === "v1");
  assert.deepEqual(faults, []);
});
