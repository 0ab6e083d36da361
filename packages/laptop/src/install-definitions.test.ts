import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { Application, HTTPRoute } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import { installDefinitions } from "./install-definitions.ts";

const signal = new AbortController().signal;

test("definitions are installed once, brought up to date, and left alone where somebody else has written over them", async () => {
  const server = await createApiServer();
  const ours = createClient(server.transport(), { fieldManager: "laptop" });
  const crds = ours.for(apiextensions.CustomResourceDefinition);
  const install = (): Promise<void> => installDefinitions(ours, "laptop", [Application, HTTPRoute], signal);
  const versions = async (): Promise<readonly (string | undefined)[]> =>
    (await crds.list()).items.map(({ metadata }) => metadata.resourceVersion);

  await install();
  await server.idle();
  const first = await versions();
  await install();
  assert.deepEqual(await versions(), first, "nothing is written when nothing is new");

  const name = crdOf(Application).metadata.name;
  await crds.patch({ name }, { merge: { metadata: { annotations: { "gatewright.dev/definition": "older" } } } });
  await install();
  assert.notEqual((await crds.get({ name })).metadata.annotations?.["gatewright.dev/definition"], "older");

  const user = createClient(server.transport(), { fieldManager: "kubectl" });
  const theirs = {
    ...crdOf(HTTPRoute),
    metadata: { name: crdOf(HTTPRoute).metadata.name, labels: { whose: "theirs" } },
  };
  await user.for(apiextensions.CustomResourceDefinition).apply(theirs);
  const route = { name: theirs.metadata.name };
  await crds.patch(route, { merge: { metadata: { annotations: { "gatewright.dev/definition": "older" } } } });
  await install();
  assert.equal((await crds.get(route)).metadata.annotations?.["gatewright.dev/definition"], "older");
  await server.close();
});
