import assert from "node:assert/strict";
import { test } from "node:test";
import { authCluster, put, role } from "../testing/auth-fixture.ts";
import { RoleAggregation } from "./aggregate-roles.ts";
import { CLUSTER_ROLES } from "./rbac-object.ts";

const rule = (resource: string) => ({ verbs: ["get"], apiGroups: [""], resources: [resource] });
const labelled = (name: string, resource: string) => {
  const made = role("", name, [rule(resource)]);
  return { ...made, metadata: { ...made.metadata, labels: { to: "top" } } };
};
const top = { ...role("", "top", []), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "top" } }] } };

test("an aggregated role has the rules of those it selects, and goes along with them", async () => {
  const { cluster, clock } = authCluster();
  const report = (): void => assert.fail("nothing fails");
  await put(cluster, top, labelled("b", "pods"), labelled("a", "services"), role("", "other", [rule("secrets")]));
  const aggregation = RoleAggregation.start({ cluster, clock, report });
  const rules = () => cluster.get(CLUSTER_ROLES, "", "top")?.["rules"];
  await aggregation.idle();
  assert.deepEqual(rules(), [rule("services"), rule("pods")]);
  await put(cluster, labelled("c", "pods"), labelled("d", "events"));
  await aggregation.idle();
  assert.deepEqual(rules(), [rule("services"), rule("pods"), rule("events")]);
  await cluster.delete(CLUSTER_ROLES, "", "a");
  await aggregation.idle();
  assert.deepEqual(rules(), [rule("pods"), rule("events")]);
  await aggregation.stop();
  await cluster.delete(CLUSTER_ROLES, "", "d");
  assert.deepEqual(rules(), [rule("pods"), rule("events")]);
});

test("what fails is reported and tried again", async () => {
  const { cluster, clock } = authCluster();
  const failures: unknown[] = [];
  await put(cluster, top, labelled("a", "pods"));
  cluster.interfere = () => (failures.length === 0 ? new Error("disk full") : undefined);
  const aggregation = RoleAggregation.start({ cluster, clock, report: (_, error) => void failures.push(error) });
  await aggregation.idle();
  assert.equal(failures.length, 1);
  clock.advance(1000);
  await aggregation.idle();
  assert.deepEqual(cluster.get(CLUSTER_ROLES, "", "top")?.["rules"], [rule("pods")]);
  await aggregation.stop();
});
