import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ruleAllows } from "@gatewright/kube";
import type { PolicyRule } from "@gatewright/kube";
import { apps, core } from "@gatewright/kube/api";
import type { ControllerDefinition, Verb } from "./definition.ts";
import { done } from "./outcome.ts";
import { rbacFor } from "./rbac.ts";
import type { DeclaredAccess, RbacOptions } from "./rbac.ts";

const watch = { indexes: {}, when: () => true, map: () => [] };
const clusterRules = (controllers: readonly DeclaredAccess[], options: Partial<RbacOptions> = {}): PolicyRule[] =>
  rbacFor(controllers, { name: "sample", ...options }).clusterRole?.rules ?? [];

test("sources are read, access is as declared, and equal rules of a group are one", () => {
  const sample: DeclaredAccess = {
    for: core.ConfigMap,
    owns: [core.Secret, apps.Deployment],
    watches: [{ resource: core.Namespace, scope: {}, ...watch }],
    access: [
      { resource: core.Secret, verbs: ["patch", "create"] },
      { resource: apps.Deployment, verbs: ["patch"], subresource: "status" },
    ],
  };
  assert.deepEqual(rbacFor([sample], { name: "sample" }), {
    clusterRole: {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "sample" },
      rules: [
        { apiGroups: [""], resources: ["configmaps", "namespaces"], verbs: ["get", "list", "watch"] },
        { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "watch", "create", "patch"] },
        { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "watch"] },
        { apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["patch"] },
        { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
      ],
    },
    roles: [],
  });
});

test("access that names a namespace holds there alone, unless it is needed everywhere or the kind is in none", () => {
  const sample: DeclaredAccess = {
    for: core.ConfigMap,
    access: [
      { resource: core.Secret, verbs: ["create"], namespace: "edge" },
      { resource: core.Secret, verbs: ["patch"], namespace: "edge" },
      { resource: core.Secret, verbs: ["patch"] },
      { resource: core.Namespace, verbs: ["patch"], namespace: "edge" },
    ],
  };
  const { clusterRole, roles } = rbacFor([sample], { name: "sample", events: false });
  assert.deepEqual(clusterRole?.rules, [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["namespaces", "secrets"], verbs: ["patch"] },
  ]);
  assert.deepEqual(
    roles.map(({ metadata, rules }) => [metadata.namespace, rules]),
    [["edge", [{ apiGroups: [""], resources: ["secrets"], verbs: ["create"] }]]],
  );
});

test("a controller's definition is all that it takes, whatever its kind", () => {
  const sample: ControllerDefinition<core.Secret> = {
    name: "sample",
    for: core.Secret,
    when: (secret) => secret?.type === "Opaque",
    reconcile: async () => done(),
  };
  assert.deepEqual(clusterRules([sample], { events: false }), [
    { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list", "watch"] },
  ]);
});

test("what two controllers both need is said once, in whatever order they come", () => {
  const one: DeclaredAccess = { for: core.ConfigMap, access: [{ resource: core.Secret, verbs: ["get"] }] };
  const two: DeclaredAccess = { for: core.Secret, owns: [core.ConfigMap] };
  const rules = clusterRules([one, two], { events: false });
  assert.deepEqual(rules, [{ apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["get", "list", "watch"] }]);
  assert.deepEqual(clusterRules([two, one], { events: false }), rules);
});

test("access to one object is no access to others of its kind", () => {
  const one: DeclaredAccess = {
    for: core.ConfigMap,
    access: [{ resource: core.Secret, verbs: ["get", "patch"], name: "ours" }],
  };
  assert.deepEqual(clusterRules([one], { events: false }), [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["ours"], verbs: ["get", "patch"] },
  ]);
});

test("the lease is one object in one namespace, except that creating cannot be held to a name", () => {
  const { clusterRole, roles } = rbacFor([], {
    name: "sample",
    lease: { namespace: "ops", name: "it" },
    events: false,
  });
  assert.equal(clusterRole, undefined);
  assert.deepEqual(roles, [
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "sample", namespace: "ops" },
      rules: [
        { apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["create"] },
        { apiGroups: ["coordination.k8s.io"], resources: ["leases"], resourceNames: ["it"], verbs: ["get", "update"] },
      ],
    },
  ]);
});

test("a source in one namespace needs a role there, unless its kind has no namespace or is read everywhere anyway", () => {
  const controllers: DeclaredAccess[] = [
    { for: core.ConfigMap, scope: { namespace: "a" }, owns: [core.Secret] },
    { for: core.Node, scope: { namespace: "a" } },
    { for: core.Secret, watches: [{ resource: core.Pod, scope: { namespace: "b" }, ...watch }] },
  ];
  const { clusterRole, roles } = rbacFor(controllers, { name: "sample", events: false });
  const reads = ["get", "list", "watch"];
  assert.deepEqual(clusterRole?.rules, [{ apiGroups: [""], resources: ["nodes", "secrets"], verbs: reads }]);
  assert.deepEqual(
    roles.map(({ metadata, rules }) => [metadata.namespace, rules]),
    [
      ["a", [{ apiGroups: [""], resources: ["configmaps"], verbs: reads }]],
      ["b", [{ apiGroups: [""], resources: ["pods"], verbs: reads }]],
    ],
  );
});

test("rules allow what is declared and nothing else", () => {
  const kinds = [core.ConfigMap, core.Secret, core.Pod, apps.Deployment];
  const verbs: Verb[] = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
  const access = fc.record(
    {
      resource: fc.constantFrom(...kinds),
      verbs: fc.uniqueArray(fc.constantFrom(...verbs), { minLength: 1 }),
      subresource: fc.constantFrom("status", "scale"),
    },
    { requiredKeys: ["resource", "verbs"] },
  );
  const controller = fc.record({ for: fc.constantFrom(...kinds), access: fc.array(access) });
  fc.assert(
    fc.property(fc.array(controller), (controllers) => {
      const rules = clusterRules(controllers, { events: false });
      for (const kind of kinds) {
        for (const subresource of ["", "status", "scale"]) {
          for (const verb of verbs) {
            const request = { verb, group: kind.group, resource: kind.plural, subresource, name: "x" };
            const declared = controllers.some(
              (each) =>
                (subresource === "" && each.for === kind && ["get", "list", "watch"].includes(verb)) ||
                each.access.some(
                  (one) => one.resource === kind && (one.subresource ?? "") === subresource && one.verbs.includes(verb),
                ),
            );
            assert.equal(
              rules.some((rule) => ruleAllows(rule, request)),
              declared,
              `${verb} ${kind.plural}/${subresource}`,
            );
          }
        }
      }
    }),
  );
});
