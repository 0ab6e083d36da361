import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { core } from "@gatewright/kube/api";
import { done } from "../controller/outcome.ts";
import type { ControllerDefinition } from "../controller/definition.ts";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client.ts";
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
  async reconcile({ object, client }) {
    if (object === undefined) return done();
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
  const manager = createManager({ name: "test", transport: server.transport() });
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
  await server.close();
});
