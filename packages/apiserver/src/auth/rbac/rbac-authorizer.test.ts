import assert from "node:assert/strict";
import { test } from "node:test";
import { accessForbidden } from "../forbidden.ts";
import { alice, authCluster, binding, put, role } from "../testing/auth-fixture.ts";
import { systemUser } from "../user.ts";
import type { UserInfo } from "../user.ts";
import { bootstrapRbac } from "./bootstrap-rbac.ts";
import { createRbacAuthorizer } from "./rbac-authorizer.ts";
import { CLUSTER_ROLES, ROLE_BINDINGS } from "./rbac-object.ts";

const ask = (user: UserInfo, verb: string, resource: string, namespace = "", name = "", group = "") => ({
  user,
  verb,
  resource: { group, version: "v1", resource, subresource: "", namespace, name },
});
const readPods = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };

test("system:masters may do anything, others nothing that was not given to them", () => {
  const authorizer = createRbacAuthorizer(authCluster().cluster.store);
  assert.deepEqual(authorizer.authorize(ask(systemUser, "delete", "nodes")), { allowed: true, reason: "" });
  assert.deepEqual(authorizer.authorize(ask(alice, "get", "pods", "a")), { allowed: false, reason: "" });
});

test("a RoleBinding counts in its namespace only, also when it names a ClusterRole", async () => {
  const { cluster } = authCluster();
  await put(cluster, role("", "reader", [readPods]), binding("a", "b", "ClusterRole/reader", "User/alice"));
  const authorizer = createRbacAuthorizer(cluster.store);
  assert.deepEqual(authorizer.authorize(ask(alice, "get", "pods", "a")), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "b/a" of ClusterRole "reader" to User "alice"',
  });
  assert.equal(authorizer.authorize(ask(alice, "get", "pods", "b")).allowed, false);
  assert.equal(authorizer.authorize(ask(alice, "list", "pods")).allowed, false);
});

test("groups and service accounts are subjects; the account's namespace defaults to the binding's", async () => {
  const { cluster } = authCluster();
  await put(
    cluster,
    role("a", "reader", [readPods]),
    binding("a", "g", "Role/reader", "Group/devs", "ServiceAccount/ci"),
  );
  const authorizer = createRbacAuthorizer(cluster.store);
  const ci = { username: "system:serviceaccount:a:ci", groups: [] };
  assert.ok(authorizer.authorize(ask(alice, "get", "pods", "a")).allowed);
  assert.equal(
    authorizer.authorize(ask(ci, "get", "pods", "a")).reason,
    'RBAC: allowed by RoleBinding "g/a" of Role "reader" to ServiceAccount "ci/a"',
  );
  assert.ok(!authorizer.authorize(ask({ ...ci, username: "system:serviceaccount:b:ci" }, "get", "pods", "a")).allowed);
});

test("decisions follow the store", async () => {
  const { cluster } = authCluster();
  const authorizer = createRbacAuthorizer(cluster.store);
  const may = (): boolean => authorizer.authorize(ask(alice, "get", "pods", "a")).allowed;
  assert.ok(!may());
  await put(cluster, role("a", "reader", [readPods]), binding("a", "b", "Role/reader", "User/alice"));
  assert.ok(may());
  await cluster.edit(ROLE_BINDINGS, "a", "b", (object) => void (object["subjects"] = [{ kind: "User", name: "bob" }]));
  assert.ok(!may());
  await cluster.edit(
    ROLE_BINDINGS,
    "a",
    "b",
    (object) => void (object["subjects"] = [{ kind: "Group", name: "devs" }]),
  );
  assert.ok(may());
  await cluster.delete(ROLE_BINDINGS, "a", "b");
  assert.ok(!may());
  authorizer.close();
});

test("a binding to a role that is not there is told with the refusal", async () => {
  const { cluster } = authCluster();
  await put(
    cluster,
    binding("a", "x", "Role/missing", "User/alice"),
    binding("a", "y", "ClusterRole/missing2", "User/alice"),
  );
  const authorizer = createRbacAuthorizer(cluster.store);
  const asked = ask(alice, "list", "secrets", "a");
  const { reason } = authorizer.authorize(asked);
  assert.equal(
    accessForbidden(asked, reason).message,
    'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "a": RBAC: [role.rbac.authorization.k8s.io "missing" not found, clusterrole.rbac.authorization.k8s.io "missing2" not found]',
  );
});

test("refusals name what was asked for as kube-apiserver does", () => {
  const message = (attributes: Parameters<typeof accessForbidden>[0]): string => accessForbidden(attributes).message;
  assert.equal(
    message(ask(alice, "list", "nodes")),
    'nodes is forbidden: User "alice" cannot list resource "nodes" in API group "" at the cluster scope',
  );
  assert.equal(message({ user: alice, verb: "get", path: "/foo" }), 'forbidden: User "alice" cannot get path "/foo"');
  const status = {
    group: "apps",
    version: "v1",
    resource: "deployments",
    subresource: "status",
    namespace: "a",
    name: "x",
  };
  const error = accessForbidden({ user: alice, verb: "get", resource: status });
  assert.equal(
    error.message,
    'deployments.apps "x" is forbidden: User "alice" cannot get resource "deployments/status" in API group "apps" in the namespace "a"',
  );
  assert.deepEqual(error.details, { name: "x", group: "apps", kind: "deployments" });
});

test("the bootstrap roles let everybody look around and levels include each other", async () => {
  const { cluster } = authCluster();
  await put(
    cluster,
    ...bootstrapRbac(),
    binding("a", "v", "ClusterRole/view", "User/viewer"),
    binding("a", "ad", "ClusterRole/admin", "User/admin"),
  );
  const authorizer = createRbacAuthorizer(cluster.store);
  assert.ok(authorizer.authorize({ user: alice, verb: "get", path: "/apis/apps/v1" }).allowed);
  assert.ok(
    authorizer.authorize({ user: { username: "x", groups: ["system:unauthenticated"] }, verb: "get", path: "/readyz" })
      .allowed,
  );
  assert.ok(!authorizer.authorize({ user: alice, verb: "get", path: "/metrics" }).allowed);
  assert.ok(
    authorizer.authorize(ask(alice, "create", "selfsubjectaccessreviews", "", "", "authorization.k8s.io")).allowed,
  );
  const [viewer, admin] = [
    { username: "viewer", groups: [] },
    { username: "admin", groups: [] },
  ];
  assert.ok(authorizer.authorize(ask(viewer, "list", "pods", "a")).allowed);
  assert.ok(!authorizer.authorize(ask(viewer, "get", "secrets", "a")).allowed);
  assert.ok(!authorizer.authorize(ask(viewer, "create", "configmaps", "a")).allowed);
  for (const resource of ["pods", "secrets", "services"])
    assert.ok(authorizer.authorize(ask(admin, "get", resource, "a")).allowed);
  assert.ok(authorizer.authorize(ask(admin, "create", "roles", "a", "", "rbac.authorization.k8s.io")).allowed);
  const rules = authorizer.rulesFor(alice, "a");
  assert.equal(rules.error, undefined);
  assert.equal(rules.rules.length, 4);
  assert.equal([...cluster.list(CLUSTER_ROLES)].length, 12);
});
