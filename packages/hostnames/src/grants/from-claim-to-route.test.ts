import assert from "node:assert/strict";
import { test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import { StatusError } from "@gatewright/kube";
import { admissionregistration, apiextensions, core, rbac } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { DomainClaim, Gateway, HTTPRoute, HostnameGrant, allResources, gatewayResources } from "@gatewright/resources";
import { createClient, createManager, rbacFor } from "@gatewright/runtime";
import { admissionPolicies } from "../policy/policies.ts";
import { DEFAULT_POLICY_SETTINGS } from "../policy/policy-settings.ts";
import { hostnameGrants } from "./controller.ts";

const [OPERATOR = ""] = DEFAULT_POLICY_SETTINGS.writers.users;
const NAMESPACE = "shop";

test("a team can attach a route once its claim is held, and not before or after, with rights of the operator that are generated", async () => {
  const clock = new ManualClock();
  await using server = Object.assign(await createApiServer({ clock, random: seededRandom(1) }), {
    async [Symbol.asyncDispose](this: { close(): Promise<void> }) {
      await this.close();
    },
  });
  const admin = createClient(server.transport(), { clock });
  const tenant = createClient(server.transport({ username: "alice", groups: ["system:authenticated"] }), { clock });
  const asOperator = server.transport({ username: OPERATOR, groups: ["system:authenticated"] });
  for (const kind of [...allResources, ...gatewayResources]) {
    await admin.for(apiextensions.CustomResourceDefinition).create(crdOf(kind));
  }
  await server.idle();
  for (const name of ["edge", NAMESPACE]) await admin.for(core.Namespace).create({ metadata: { name } });
  const { policies, bindings } = admissionPolicies(DEFAULT_POLICY_SETTINGS);
  for (const policy of policies) await admin.for(admissionregistration.ValidatingAdmissionPolicy).create(policy);
  for (const each of bindings) await admin.for(admissionregistration.ValidatingAdmissionPolicyBinding).create(each);

  const grants = hostnameGrants({ edgeNamespace: "edge", flushMs: 2_000 });
  const { clusterRole } = rbacFor([grants], { name: "grants" });
  assert.ok(clusterRole);
  await admin.for(rbac.ClusterRole).create(clusterRole);
  for (const [role, user] of [
    ["cluster-admin", "alice"],
    [clusterRole.metadata.name ?? "", OPERATOR],
  ] as const) {
    await admin.for(rbac.ClusterRoleBinding).create({
      metadata: { name: `${role}-${user === OPERATOR ? "operator" : user}` },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
    });
  }
  const manager = createManager({ name: "grants", transport: asOperator, clock, random: seededRandom(2) });
  manager.add(grants);
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);
  const turn = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    clock.advance(20);
  };
  const attach = (name: string): Promise<unknown> =>
    tenant.for(HTTPRoute).create({
      metadata: { name, namespace: NAMESPACE },
      spec: {
        parentRefs: [{ group: Gateway.group, kind: Gateway.kind, name: "gw-01", namespace: "edge" }],
        hostnames: ["shop.example.com"],
        rules: [{ matches: [] }],
      },
    });
  const refused = (attempt: Promise<unknown>): Promise<void> =>
    assert.rejects(attempt, (error) => error instanceof StatusError && /is not granted/.test(error.message));
  const labelled = async (): Promise<boolean> =>
    (await admin.for(core.Namespace).get({ name: NAMESPACE })).metadata.labels?.["gateway.opendi.com/hostnames"] !==
    undefined;

  await refused(attach("early"));
  await admin.for(DomainClaim).create({
    metadata: { name: "shop.example.com" },
    spec: {
      zoneId: "Z1",
      hostname: "shop.example.com",
      ownerRef: { namespace: NAMESPACE, name: "shop", uid: "1" },
    },
  });
  const claimedAt = "2030-01-01T00:00:00Z";
  await admin.for(DomainClaim).status.patch({ name: "shop.example.com" }, { merge: { status: { claimedAt } } });
  while (!(await labelled())) await turn();
  await attach("granted");

  await admin.for(DomainClaim).delete({ name: "shop.example.com" });
  const grant = { namespace: NAMESPACE, name: "hostnames" };
  while ((await admin.for(HostnameGrant).find(grant)) !== undefined) await turn();
  await refused(attach("late"));
  await tenant.for(HTTPRoute).delete({ namespace: NAMESPACE, name: "granted" });

  stopping.abort();
  let ended = false;
  void running.finally(() => void (ended = true));
  while (!ended) await turn();
  await running;
});
