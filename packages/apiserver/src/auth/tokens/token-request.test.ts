import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { seededRandom } from "@gatewright/ports";
import { alice, authCluster, writeContext } from "../testing/auth-fixture.ts";
import { parseJwt } from "./jwt.ts";
import { createServiceAccountTokens } from "./service-account-tokens.ts";
import { createSigningKey } from "./signing-key.ts";
import { tokenSubresource } from "./token-request.ts";

const audiences = ["https://kubernetes"];
const core = (resource: string) => ({ group: "", resource });

async function setUp() {
  const { cluster, clock } = authCluster();
  const account = await cluster.create(core("serviceaccounts"), {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "ci", namespace: "a" },
  });
  const random = seededRandom();
  const tokens = createServiceAccountTokens({
    issuer: audiences[0]!,
    keys: [createSigningKey(random)],
    clock,
    random,
    cluster,
  });
  const action = tokenSubresource({ tokens, audiences });
  const context = writeContext(cluster, alice, "a", clock.now());
  const request = (body: JsonObject) => action.create(body, account, "ci", context);
  return { cluster, tokens, account, request };
}

test("a request without wishes gets an hour for this server", async () => {
  const { request, account, tokens } = await setUp();
  const { status, ...answer } = await request({});
  assert.deepEqual(answer, {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: "ci", namespace: "a", uid: account.metadata.uid, creationTimestamp: "2030-01-01T00:00:00Z" },
    spec: { audiences, expirationSeconds: 3600, boundObjectRef: null },
  });
  const { token, expirationTimestamp } = status as { token: string; expirationTimestamp: string };
  assert.equal(expirationTimestamp, "2030-01-01T01:00:00Z");
  assert.equal(tokens.authenticate(token, audiences).type, "user");
});

test("senseless durations and names that do not match are refused", async () => {
  const { request, account } = await setUp();
  await assert.rejects(request({ spec: { expirationSeconds: 5 } }), {
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
  });
  await assert.rejects(
    request({ spec: { expirationSeconds: 5_000_000_000 } }),
    /may not specify a duration larger than 2\^32 seconds/,
  );
  await assert.rejects(request({ metadata: { name: "x" } }), {
    message:
      'TokenRequest.authentication.k8s.io "ci" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
  });
  await assert.rejects(request({ metadata: { uid: "x" } }), {
    code: 409,
    message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "ci": the UID in the token request (x) does not match the UID of the service account (${account.metadata.uid})`,
  });
});

test("a token is bound to objects that are there as the request has them", async () => {
  const { request, cluster } = await setUp();
  const ref = (kind: string, name: string, more: JsonObject = {}) => ({
    spec: { boundObjectRef: { kind, apiVersion: "v1", name, ...more } },
  });
  await assert.rejects(request(ref("Pod", "x")), { code: 404, message: 'pods "x" not found' });
  await assert.rejects(request(ref("Foo", "x")), {
    code: 400,
    message: "cannot bind token to object of type /v1, Kind=Foo",
  });
  const pod = (serviceAccountName: string, name: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "a" },
    spec: { serviceAccountName, nodeName: "n" },
  });
  await cluster.create(core("pods"), pod("other", "p1"));
  const { metadata } = await cluster.create(core("pods"), pod("ci", "p2"));
  await assert.rejects(
    request(ref("Pod", "p1")),
    /^StatusError: cannot bind token for serviceaccount "ci" to pod running with different/,
  );
  await assert.rejects(request(ref("Pod", "p2", { uid: "zz" })), {
    code: 409,
    message:
      'Operation cannot be fulfilled on Pod "p2": the UID in the bound object reference (zz) does not match the UID in record. The object might have been deleted and then recreated',
  });
  const projected = ref("Pod", "p2");
  const { status } = await request({ spec: { ...projected.spec, expirationSeconds: 3607 } });
  const claims = parseJwt((status as { token: string }).token)?.claims ?? {};
  const own = claims["kubernetes.io"] as JsonObject;
  assert.deepEqual(own["pod"], { name: "p2", uid: metadata.uid });
  assert.deepEqual(own["node"], { name: "n" });
  assert.equal(
    Number(claims["exp"]) - Number(claims["iat"]),
    365 * 24 * 3600,
    "projected tokens live longer than asked",
  );
  assert.equal(Number(own["warnafter"]) - Number(claims["iat"]), 3607);
});
