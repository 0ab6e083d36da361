import assert from "node:assert/strict";
import { test } from "node:test";
import { allResources } from "@gatewright/resources";
import { PARTS } from "../part.ts";
import { DEFAULT_INSTALL_SETTINGS } from "./install-settings.ts";
import { installation } from "./installation.ts";
import { kindsOfPart } from "./kinds-of-part.ts";

test("every kind of ours is of one part", () => {
  const kinds = PARTS.flatMap(kindsOfPart);
  assert.deepEqual(new Set(kinds), new Set(allResources));
  assert.equal(kinds.length, allResources.length);
});

test("what is not chosen is not there", () => {
  const { namespaces, crds, policy, webhook, classes } = installation({
    ...DEFAULT_INSTALL_SETTINGS,
    parts: ["applications"],
  });
  assert.deepEqual(
    [...namespaces, ...crds].map(({ metadata }) => metadata.name),
    ["gatewright", "applications.cloudnative.elide.dev"],
  );
  assert.deepEqual([policy, webhook, classes], [[], [], []]);
});

test("who writes in the edge namespace is the account that the roles are bound to", () => {
  const { rbac, policy, namespaces } = installation({
    ...DEFAULT_INSTALL_SETTINGS,
    namespace: "ops",
    account: "op",
    edgeNamespace: "front",
    policyScope: "all",
  });
  assert.deepEqual(
    namespaces.map(({ metadata }) => metadata.name),
    ["ops", "front"],
  );
  const bound = rbac.filter(({ kind }) => kind?.endsWith("Binding"));
  assert.deepEqual(
    bound.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`),
    ["ClusterRoleBinding /op", "RoleBinding front/op", "RoleBinding ops/op"],
  );
  for (const binding of bound)
    assert.deepEqual((binding as unknown as { subjects: unknown }).subjects, [
      { kind: "ServiceAccount", namespace: "ops", name: "op" },
    ]);
  assert.match(JSON.stringify(policy), /system:serviceaccount:ops:op/u);
  assert.doesNotMatch(JSON.stringify(policy), /gatewright:gatewright/u);
});

test("what is turned off needs nothing", () => {
  const { webhook, classes } = installation({
    ...DEFAULT_INSTALL_SETTINGS,
    parts: ["routing"],
    webhookConfiguration: undefined,
    ingressClass: undefined,
  });
  assert.deepEqual([webhook, classes], [[], []]);
});
