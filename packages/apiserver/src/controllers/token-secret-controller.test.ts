import assert from "node:assert/strict";
import { test } from "node:test";
import type { GroupResource } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { FakeCluster } from "./testing/fake-cluster.ts";
import { fakeResource } from "./testing/fake-resource.ts";
import { startTokenSecretController } from "./token-secret-controller.ts";

const ACCOUNTS: GroupResource = { group: "", resource: "serviceaccounts" };
const SECRETS: GroupResource = { group: "", resource: "secrets" };
const base64 = (text: string): string => Buffer.from(text).toString("base64");

function world() {
  const clock = new ManualClock();
  const cluster = new FakeCluster(clock, [fakeResource("ServiceAccount"), fakeResource("Secret")]);
  const controller = startTokenSecretController(cluster, {
    clock,
    report: () => {},
    caBundle: "PEM",
    signToken: (account, secret) => `token-of-${account.metadata.uid}-in-${secret.metadata.name}`,
  });
  const metadata = { name: "robot", namespace: "ns" };
  const account = () => cluster.create(ACCOUNTS, { apiVersion: "v1", kind: "ServiceAccount", metadata });
  const secret = () =>
    cluster.create(SECRETS, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: "ns", annotations: { "kubernetes.io/service-account.name": "robot" } },
      type: "kubernetes.io/service-account-token",
    });
  return { cluster, controller, account, secret };
}

test("a token secret is filled with a token of its account", async () => {
  const { cluster, controller, account, secret } = world();
  const { uid } = (await account()).metadata;
  await secret();
  await controller.idle();
  const filled = cluster.get(SECRETS, "ns", "s");
  assert.deepEqual(filled?.data, {
    "ca.crt": base64("PEM"),
    namespace: base64("ns"),
    token: base64(`token-of-${uid}-in-s`),
  });
  assert.equal(filled?.metadata.annotations?.["kubernetes.io/service-account.uid"], uid);
});

test("a token secret without its account is deleted, and goes with it", async () => {
  const { cluster, controller, account, secret } = world();
  await secret();
  await controller.idle();
  assert.equal(cluster.get(SECRETS, "ns", "s"), undefined);
  await account();
  await secret();
  await controller.idle();
  assert.ok(cluster.get(SECRETS, "ns", "s"));
  await cluster.delete(ACCOUNTS, "ns", "robot");
  await controller.idle();
  assert.equal(cluster.get(SECRETS, "ns", "s"), undefined);
});

test("other secrets are left alone", async () => {
  const { cluster, controller } = world();
  const metadata = { name: "o", namespace: "ns", annotations: { "kubernetes.io/service-account.name": "nobody" } };
  await cluster.create(SECRETS, { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque" });
  await controller.idle();
  assert.ok(cluster.get(SECRETS, "ns", "o"));
});
