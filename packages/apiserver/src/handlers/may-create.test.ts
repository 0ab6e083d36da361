import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createApiServer } from "../api-server.ts";
import type { ApiServer } from "../api-server.ts";
import { ask, grantIn } from "../testing/as-user.ts";

const APPLY = "application/apply-patch+yaml";
const groups = ["", "coordination.k8s.io"];
const resources = ["configmaps", "leases"];
let server: ApiServer;

before(async () => {
  server = await createApiServer();
  const change = { apiGroups: groups, resources, verbs: ["get", "patch", "update"] };
  await grantIn(server, "default", "changer", [change]);
  const create = { apiGroups: groups, resources, verbs: ["create"], resourceNames: ["named"] };
  await grantIn(server, "default", "maker", [change, create]);
});
after(() => server.close());

const at = (name: string): string => `/api/v1/namespaces/default/configmaps/${name}`;
const apply = (user: string, name: string, data: object = { a: "b" }, query = "") => {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
  return ask(server, user, "PATCH", `${at(name)}?fieldManager=m${query}`, body, APPLY);
};
const put = (user: string, name: string) => {
  const path = `/apis/coordination.k8s.io/v1/namespaces/default/leases/${name}`;
  return ask(server, user, "PUT", path, { metadata: { name }, spec: {} });
};
const refusal = (kind: string, name: string, group: string): string => {
  const called = group === "" ? kind : `${kind}.${group}`;
  const who = `User "changer" cannot create resource "${kind}" in API group "${group}" in the namespace "default"`;
  return `${called} "${name}" is forbidden: ${who}`;
};

test("an apply of an object that is not there needs the right to create it", async () => {
  const refused = { status: 403, message: refusal("configmaps", "new", "") };
  assert.deepEqual(await apply("changer", "new"), refused);
  assert.deepEqual(await apply("changer", "new", {}, "&dryRun=All"), refused);
  assert.equal((await ask(server, "changer", "GET", at("new"))).status, 404);
});

test("a PUT of an object that is not there needs the right to create it", async () => {
  const refused = { status: 403, message: refusal("leases", "new", "coordination.k8s.io") };
  assert.deepEqual(await put("changer", "new"), refused);
});

test("the right to create may be for one name, which the URL tells here", async () => {
  assert.equal((await apply("maker", "named")).status, 201);
  assert.equal((await put("maker", "named")).status, 201);
  assert.equal((await apply("maker", "other")).status, 403);
});

test("an apply of an object that is there does not need it", async () => {
  assert.equal((await apply("maker", "named")).status < 300, true);
  assert.equal((await apply("changer", "named", { c: "d" })).status, 200);
});

test("what is wrong with an object is told before that it may not be created", async () => {
  assert.equal((await apply("changer", "new", { "not/a/key": "x" })).status, 422);
});
