import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, PolicyRule } from "@gatewright/kube";
import { alice, authCluster, binding, put, role } from "../testing/auth-fixture.ts";
import { systemUser } from "../user.ts";
import { createRbacAuthorizer } from "./rbac-authorizer.ts";
import { createRbacGuard } from "./rbac-guard.ts";
import type { RbacGuard } from "./rbac-guard.ts";

const rule = (verbs: string[], resources: string[], more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs,
  resources,
  apiGroups: [""],
  ...more,
});
const write = ["create", "update", "patch", "get"];

/** Alice may write roles and bindings in "a" and read pods there. */
async function guarded(...more: KubeObject[]): Promise<RbacGuard> {
  const { cluster } = authCluster();
  const rules = [
    rule(write, ["roles", "rolebindings"], { apiGroups: ["rbac.authorization.k8s.io"] }),
    rule(["get", "list"], ["pods"]),
  ];
  await put(cluster, role("a", "mine", rules), binding("a", "mine", "Role/mine", "User/alice"), ...more);
  return createRbacGuard(createRbacAuthorizer(cluster.store));
}

const inA = { user: alice, namespace: "a" };

test("a role with nothing but what its writer holds may be written", async () => {
  const guard = await guarded();
  guard(role("a", "r", [rule(["get"], ["pods"])]), undefined, inA);
});

test("granting what one does not hold is refused, and the missing rules are listed", async () => {
  const guard = await guarded();
  const wanted = [
    rule(["get", "delete"], ["pods", "secrets"], { apiGroups: ["", "apps"], resourceNames: ["n1"] }),
    rule(["delete", "watch"], ["pods"]),
  ];
  assert.throws(() => guard(role("a", "r2", wanted), undefined, inA), {
    code: 403,
    message: `roles.rbac.authorization.k8s.io "r2" is forbidden: user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["pods"], ResourceNames:["n1"], Verbs:["delete"]}
{APIGroups:[""], Resources:["pods"], Verbs:["delete" "watch"]}
{APIGroups:[""], Resources:["secrets"], ResourceNames:["n1"], Verbs:["get" "delete"]}
{APIGroups:["apps"], Resources:["pods"], ResourceNames:["n1"], Verbs:["get" "delete"]}
{APIGroups:["apps"], Resources:["secrets"], ResourceNames:["n1"], Verbs:["get" "delete"]}`,
  });
  guard(role("a", "r2", wanted), undefined, { user: systemUser, namespace: "a" });
});

test("the verb escalate lifts the check", async () => {
  const escalate = rule(["escalate"], ["roles"], { apiGroups: ["rbac.authorization.k8s.io"] });
  const guard = await guarded(role("a", "e", [escalate]), binding("a", "e", "Role/e", "User/alice"));
  guard(role("a", "r", [rule(["*"], ["*"])]), undefined, inA);
});

test("an update is judged by its new rules unless only garbage collection fields change", async () => {
  const guard = await guarded();
  const old = role("a", "r", [rule(["get"], ["secrets"])]);
  guard({ ...old, metadata: { ...old.metadata, finalizers: ["a/b"], resourceVersion: "9" } }, old, inA);
  const labelled = { ...old, metadata: { ...old.metadata, labels: { a: "b" } } };
  assert.throws(() => guard(labelled, old, inA), { code: 403 });
});

test("binding a role needs its rules or the verb bind", async () => {
  const powerful = role("a", "powerful", [rule(["*"], ["secrets"])]);
  const harmless = role("", "harmless", [rule(["get"], ["pods"])]);
  const guard = await guarded(powerful, harmless);
  guard(binding("a", "b", "ClusterRole/harmless", "User/bob"), undefined, inA);
  assert.throws(() => guard(binding("a", "b", "Role/powerful", "User/bob"), undefined, inA), {
    message: `rolebindings.rbac.authorization.k8s.io "b" is forbidden: user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["*"]}`,
  });
  const bind = rule(["bind"], ["roles"], { apiGroups: ["rbac.authorization.k8s.io"], resourceNames: ["powerful"] });
  const trusted = await guarded(
    powerful,
    role("a", "binder", [bind]),
    binding("a", "binder", "Role/binder", "User/alice"),
  );
  trusted(binding("a", "b", "Role/powerful", "User/bob"), undefined, inA);
});

test("a binding to a role that is not there is refused as kube-apiserver does", async () => {
  const guard = await guarded();
  assert.throws(() => guard(binding("a", "b", "Role/nonexist", "User/bob"), undefined, inA), {
    code: 404,
    message: 'rolebindings.rbac.authorization.k8s.io "nonexist" not found',
  });
  assert.throws(() => guard(binding("", "b", "Role/nonexist", "User/bob"), undefined, { user: alice, namespace: "" }), {
    code: 400,
    message: "Namespace parameter required.",
  });
  assert.throws(() => guard(binding("a", "b", "Rolez/x", "User/bob"), undefined, inA), {
    code: 500,
    message: 'unsupported role reference kind: "Rolez"',
  });
});

test("an aggregation rule needs full authority, for it can gather anything", async () => {
  const guard = await guarded();
  const aggregated = {
    ...role("", "agg", []),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { x: "y" } }] },
  };
  assert.throws(() => guard(aggregated, undefined, { user: alice, namespace: "" }), {
    message:
      'clusterroles.rbac.authorization.k8s.io "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  });
});
