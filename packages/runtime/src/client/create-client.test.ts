import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { ApiObject, Resource } from "@gatewright/kube";
import type { Transport } from "../transport/transport.ts";
import { createClient } from "./create-client.ts";

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

let server: ApiServer;
before(async () => {
  server = await createApiServer();
});
after(() => server.close());

const transport = (): Transport => server.transport();

test("an object is created, read, changed, applied, patched and deleted", async () => {
  const maps = createClient(transport(), { fieldManager: "tester" }).for(configMaps);
  const ref = { namespace: "default", name: "all-verbs" };
  const made = await maps.create({ metadata: ref, data: { a: "1" } });
  assert.deepEqual([made.kind, made.apiVersion, made.data], ["ConfigMap", "v1", { a: "1" }]);
  assert.deepEqual(await maps.get(ref), made);
  const updated = await maps.update({ ...made, data: { a: "2" } });
  assert.equal(updated.data?.["a"], "2");
  const applied = await maps.apply({ metadata: ref, data: { b: "3" } });
  assert.deepEqual(applied.data, { a: "2", b: "3" });
  const patched = await maps.patch(ref, { merge: { data: { a: null } } });
  assert.deepEqual(patched.data, { b: "3" });
  assert.equal(await maps.delete(ref, { preconditions: { uid: made.metadata.uid! } }), undefined);
  assert.equal(await maps.find(ref), undefined);
});
