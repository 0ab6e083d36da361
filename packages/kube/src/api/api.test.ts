import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { JsonObject } from "../json/json.ts";
import { groupVersionPath } from "../resource.ts";
import type { Resource } from "../resource.ts";
import * as api from "./index.ts";

const values: readonly Resource[] = Object.values(api).flatMap((group) => Object.values(group) as Resource[]);

test("one name is both the type and the value of a kind", () => {
  const made: api.core.ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "b" } };
  const resource: Resource<api.core.ConfigMap> = api.core.ConfigMap;
  assert.equal(resource.kind, made.kind);
  assert.deepEqual(api.core.Node, { group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
  assert.equal(api.networking.NetworkPolicy.plural, "networkpolicies");
});

test("the values agree with what the API server serves", async () => {
  const server = await createApiServer();
  const served = new Map<string, JsonObject[]>();
  try {
    for (const path of new Set(values.map(groupVersionPath))) {
      const response = await server.transport()({ method: "GET", path });
      const chunks: Buffer[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      if (response.status !== 200) continue; // the embedded server does not serve every group
      served.set(path, (JSON.parse(Buffer.concat(chunks).toString()) as { resources: JsonObject[] }).resources);
    }
  } finally {
    await server.close();
  }
  let compared = 0;
  for (const resource of values) {
    const found = served.get(groupVersionPath(resource))?.find((entry) => entry["name"] === resource.plural);
    if (!found) continue;
    compared++;
    assert.equal(found["kind"], resource.kind);
    assert.equal(found["namespaced"], resource.namespaced, resource.kind);
  }
  assert.ok(compared >= 40, `only ${compared} of ${values.length} kinds are served`);
});
