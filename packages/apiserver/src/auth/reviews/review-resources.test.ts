import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { createAuthenticator } from "../authenticator.ts";
import { bootstrapRbac } from "../rbac/bootstrap-rbac.ts";
import { createRbacAuthorizer } from "../rbac/rbac-authorizer.ts";
import { alice, authCluster, put, writeContext } from "../testing/auth-fixture.ts";
import { staticTokens } from "../tokens/static-tokens.ts";
import { reviewResources } from "./review-resources.ts";

const audiences = ["https://kubernetes"];

async function reviewer() {
  const { cluster, clock } = authCluster();
  await put(cluster, ...bootstrapRbac());
  const tokens = [
    staticTokens([{ token: "alice", user: { username: "alice", uid: "2", groups: ["devs"] } }], audiences),
  ];
  const authenticator = createAuthenticator({ tokens, audiences, anonymous: true, loopbackAdmin: false });
  const resources = reviewResources({ authenticator, authorizer: createRbacAuthorizer(cluster.store) });
  return async (kind: string, body: JsonObject, namespace = ""): Promise<KubeObject> => {
    const resource = resources.find((r) => r.kind === kind);
    assert.ok(resource?.review);
    const { object } = resource.versions[0]!.decode(body);
    return resource.review(object, writeContext(cluster, alice, namespace, clock.now()));
  };
}

test("whoami tells user, groups and when", async () => {
  const review = await reviewer();
  assert.deepEqual(await review("SelfSubjectReview", {}), {
    kind: "SelfSubjectReview",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { creationTimestamp: "2030-01-01T00:00:00Z" },
    status: { userInfo: { username: "alice", uid: "2", groups: ["devs", "system:authenticated"] } },
  });
});

test("a token review tells whose token it is, or that it is nobody's", async () => {
  const review = await reviewer();
  const status = async (spec: JsonObject) => (await review("TokenReview", { spec }))["status"];
  const user = { username: "alice", uid: "2", groups: ["devs", "system:authenticated"] };
  assert.deepEqual(await status({ token: "alice" }), { authenticated: true, user, audiences });
  assert.deepEqual(await status({ token: "nope" }), { user: {}, error: "invalid bearer token" });
  assert.deepEqual(await status({ token: "alice", audiences: ["x"] }), { user: {}, error: "invalid bearer token" });
  await assert.rejects(status({}), { code: 400, message: "token is required for TokenReview in authentication" });
});

test("can-i answers for oneself, with the reason", async () => {
  const review = await reviewer();
  const status = async (spec: JsonObject) => (await review("SelfSubjectAccessReview", { spec }))["status"];
  assert.deepEqual(await status({ resourceAttributes: { verb: "get", resource: "pods" } }), { allowed: false });
  assert.deepEqual(await status({ nonResourceAttributes: { verb: "get", path: "/healthz" } }), {
    allowed: true,
    reason:
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
  });
  await assert.rejects(status({}), {
    code: 422,
    message:
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
  });
});

test("an access review for somebody else names them and stands alone", async () => {
  const review = await reviewer();
  const resourceAttributes = { verb: "delete", resource: "nodes" };
  const answer = await review("SubjectAccessReview", { spec: { groups: ["system:masters"], resourceAttributes } });
  assert.deepEqual(answer["status"], { allowed: true });
  await assert.rejects(
    review("SubjectAccessReview", { spec: { resourceAttributes } }),
    /at least one of user or group must be specified/,
  );
  const both = {
    metadata: { name: "x" },
    spec: { user: "u", resourceAttributes, nonResourceAttributes: { path: "/x", verb: "get" } },
  };
  await assert.rejects(review("SubjectAccessReview", both), {
    message:
      '.authorization.k8s.io "" is invalid: [spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes, metadata: Invalid value: {"name":"x"}: must be empty]',
  });
});

test("a local access review stays in its namespace", async () => {
  const review = await reviewer();
  const ask = (namespace: string) =>
    review(
      "LocalSubjectAccessReview",
      { spec: { user: "bob", resourceAttributes: { namespace, verb: "get", resource: "pods" } } },
      "a",
    );
  assert.deepEqual((await ask("a")).metadata, { namespace: "a" });
  await assert.rejects(ask("b"), {
    message:
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "b": must match metadata.namespace',
  });
});

test("the list of one's rules has resources and paths apart", async () => {
  const review = await reviewer();
  const { status } = await review("SelfSubjectRulesReview", { spec: { namespace: "default" } });
  const { resourceRules, nonResourceRules, incomplete } = status as Record<string, JsonObject[]>;
  assert.deepEqual(
    resourceRules?.map((rule) => rule["resources"]),
    [["selfsubjectaccessreviews", "selfsubjectrulesreviews"], ["selfsubjectreviews"]],
  );
  assert.equal(nonResourceRules?.length, 2);
  assert.equal(incomplete, false);
  await assert.rejects(review("SelfSubjectRulesReview", { spec: {} }), {
    code: 400,
    message: "no namespace on request",
  });
});
