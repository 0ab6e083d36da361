import assert from "node:assert/strict";
import { test } from "node:test";
import type { PolicyRule } from "@gatewright/kube";
import { impersonate } from "./impersonation.ts";
import { createRbacAuthorizer } from "./rbac/rbac-authorizer.ts";
import { alice, authCluster, binding, put, role } from "./testing/auth-fixture.ts";
import { systemUser } from "./user.ts";
import type { UserInfo } from "./user.ts";

const nodes = { group: "", version: "v1", resource: "nodes", subresource: "", namespace: "", name: "" };

async function actAs(
  user: UserInfo,
  headers: Record<string, string | string[]>,
  ...rules: PolicyRule[]
): Promise<UserInfo> {
  const { cluster } = authCluster();
  await put(cluster, role("", "given", rules), binding("", "given", "ClusterRole/given", "User/alice"));
  const joined = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(",")]));
  const request = {
    headers: joined,
    headerValues: (name: string) => (headers[name] === undefined ? [] : [headers[name]].flat()),
  };
  return impersonate(request, { user, verb: "list", resource: nodes }, createRbacAuthorizer(cluster.store));
}

test("without headers one is oneself", async () => {
  assert.equal(await actAs(alice, {}), alice);
});

test("the admin may act as anybody, with groups, uid and extra", async () => {
  const headers = {
    "impersonate-user": "bob",
    "impersonate-group": ["g1", "g2"],
    "impersonate-uid": "u1",
    "impersonate-extra-scopes": "s",
    "impersonate-extra-a%2fb": ["x", "y"],
  };
  assert.deepEqual(await actAs(systemUser, headers), {
    username: "bob",
    uid: "u1",
    groups: ["g1", "g2", "system:authenticated"],
    extra: { scopes: ["s"], "a/b": ["x", "y"] },
  });
  assert.deepEqual(
    (await actAs(systemUser, { "impersonate-user": "bob", "impersonate-group": "system:masters" })).groups,
    ["system:masters", "system:authenticated"],
  );
});

test("service accounts, nodes and the anonymous user get their groups", async () => {
  const groups = async (name: string): Promise<readonly string[]> =>
    (await actAs(systemUser, { "impersonate-user": name })).groups;
  assert.deepEqual(await groups("system:serviceaccount:default:x"), [
    "system:serviceaccounts",
    "system:serviceaccounts:default",
    "system:authenticated",
  ]);
  assert.deepEqual(await groups("system:node:n1"), ["system:nodes", "system:authenticated"]);
  assert.deepEqual(await groups("system:anonymous"), ["system:unauthenticated"]);
});

test("whoever may not act as another is told which right is missing", async () => {
  const refusal = (verb: string) => ({
    code: 403,
    message: `nodes is forbidden: User "alice" cannot ${verb} resource "nodes" in API group "" at the cluster scope`,
  });
  await assert.rejects(actAs(alice, { "impersonate-user": "bob" }), refusal("impersonate-on:user-info:list"));
  await assert.rejects(
    actAs(alice, { "impersonate-user": "system:serviceaccount:default:x" }),
    refusal("impersonate-on:serviceaccount:list"),
  );
});

test("the verb impersonate is enough, for each thing by itself", async () => {
  const users: PolicyRule = { verbs: ["impersonate"], apiGroups: [""], resources: ["users"], resourceNames: ["bob"] };
  assert.equal((await actAs(alice, { "impersonate-user": "bob" }, users)).username, "bob");
  await assert.rejects(actAs(alice, { "impersonate-user": "carol" }, users), { code: 403 });
  await assert.rejects(actAs(alice, { "impersonate-user": "bob", "impersonate-group": "g" }, users), { code: 403 });
});

test("constrained rights are for some requests only and never for system:masters", async () => {
  const act: PolicyRule = {
    verbs: ["impersonate:user-info"],
    apiGroups: ["authentication.k8s.io"],
    resources: ["users", "groups"],
  };
  const list: PolicyRule = { verbs: ["impersonate-on:user-info:list"], apiGroups: [""], resources: ["nodes"] };
  assert.equal((await actAs(alice, { "impersonate-user": "bob" }, act, list)).username, "bob");
  await assert.rejects(actAs(alice, { "impersonate-user": "bob" }, act), { code: 403 });
  await assert.rejects(actAs(alice, { "impersonate-user": "bob", "impersonate-group": "system:masters" }, act, list), {
    message:
      'groups.authentication.k8s.io "system:masters" is forbidden: User "alice" cannot impersonate:user-info resource "groups" in API group "authentication.k8s.io" at the cluster scope: impersonating the system:masters group is not allowed',
  });
});

test("headers that name no user are a bad request", async () => {
  await assert.rejects(actAs(systemUser, { "impersonate-group": "g" }), {
    code: 400,
    message:
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} without impersonating a user name',
  });
  await assert.rejects(actAs(systemUser, { "impersonate-extra-a%2fb": "g" }), {
    message:
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string(nil), Extra:map[string][]string{"a/b":[]string{"g"}}} without impersonating a user name',
  });
});
