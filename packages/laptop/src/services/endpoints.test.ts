import assert from "node:assert/strict";
import { test } from "node:test";
import { core } from "@gatewright/kube/api";
import { serviceWorld } from "./testing/service-world.ts";

const WEB = { namespace: "shop", name: "web" };

test("the Endpoints of a Service tell ready and other addresses, and go with it", async (t) => {
  const world = await serviceWorld(t);
  const found = () => world.client.for(core.Endpoints).find(WEB);
  await world.createService(
    "web",
    {
      ports: [
        { name: "http", port: 80, targetPort: "web" },
        { name: "two", port: 81 },
      ],
    },
    { team: "a" },
  );
  const pod = await world.createPod("one", { ip: "10.244.0.1" });
  await world.createPod("two", { ip: "10.244.0.2", ready: false });
  await world.until("both are told", async () => (await found())?.subsets?.[0]?.notReadyAddresses?.length === 1);
  const object = await found();
  assert.deepEqual(object?.subsets, [
    {
      addresses: [
        {
          ip: "10.244.0.1",
          nodeName: "laptop",
          targetRef: { kind: "Pod", namespace: "shop", name: "one", uid: pod.metadata.uid },
        },
      ],
      notReadyAddresses: object?.subsets?.[0]?.notReadyAddresses,
      ports: [
        { name: "http", port: 8080, protocol: "TCP" },
        { name: "two", port: 81, protocol: "TCP" },
      ],
    },
  ]);
  assert.deepEqual(object?.metadata.labels, { team: "a", "endpoints.kubernetes.io/managed-by": "endpoint-controller" });
  await world.setReady("two", true);
  await world.until("both are ready", async () => (await found())?.subsets?.[0]?.addresses?.length === 2);
  await world.client.for(core.Service).delete(WEB);
  await world.until("it is gone", async () => (await found()) === undefined);
});

test("Endpoints that nobody's Service made stay", async (t) => {
  const world = await serviceWorld(t);
  await world.client.for(core.Endpoints).create({ metadata: { namespace: "shop", name: "lock" } });
  await world.createService("web");
  await world.until(
    "the Service has its own",
    async () => (await world.client.for(core.Endpoints).find(WEB)) !== undefined,
  );
  await world.client.for(core.Service).delete(WEB);
  await world.until("they are gone", async () => (await world.client.for(core.Endpoints).find(WEB)) === undefined);
  assert.ok(await world.client.for(core.Endpoints).find({ namespace: "shop", name: "lock" }));
});
