import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "./refusal.ts";
import { DEFAULT_PROVIDER_SETTINGS } from "./settings.ts";
import type { ProviderSettings } from "./settings.ts";
import type { Identity, Way } from "./way.ts";

const KEY = { namespace: "shop", name: "keys", key: "id" };
const SECRET: Identity = { from: "secret", id: KEY, secret: KEY, token: undefined };
const OWN: Identity = { from: "own" };

function refused(
  way: Partial<Way>,
  settings: Partial<ProviderSettings> = {},
  ownEndpoint?: string,
): string | undefined {
  const whole: Way = {
    region: "eu-west-1",
    endpoint: undefined,
    identity: SECRET,
    assume: undefined,
    accountID: undefined,
    ...way,
  };
  return refusalOf(whole, "shop", { ...DEFAULT_PROVIDER_SETTINGS, ...settings }, ownEndpoint)?.reason.reason;
}

test("AWS itself is open to every identity", () => {
  for (const identity of [SECRET, OWN, { from: "role", roleArn: "arn:aws:iam::1:role/a" }] as const) {
    assert.equal(refused({ identity }), undefined);
  }
});

test("an endpoint of a tenant sees credentials of the tenant alone", () => {
  const endpoint = "https://stack.example";
  assert.equal(refused({ endpoint }), undefined);
  assert.equal(refused({ endpoint, identity: OWN }), "EndpointNotAllowed");
  assert.equal(
    refused({ endpoint, identity: { from: "role", roleArn: "arn:aws:iam::1:role/a" } }),
    "EndpointNotAllowed",
  );
  assert.equal(refused({ endpoint }, { tenantEndpoints: false }), "EndpointNotAllowed");
});

test("one that the platform trusts, by settings or as its own, may be anywhere and see all; its port and scheme count", () => {
  const settings = { trustedEndpoints: ["http://127.0.0.1:4566/"], tenantEndpoints: false };
  assert.equal(refused({ endpoint: "http://127.0.0.1:4566", identity: OWN }, settings), undefined);
  assert.equal(refused({ endpoint: "http://127.0.0.1:4566", identity: OWN }, {}, "http://127.0.0.1:4566"), undefined);
  for (const other of ["http://127.0.0.1:4567", "https://127.0.0.1:4566", "http://127.0.0.1.thief.example:4566"]) {
    assert.equal(refused({ endpoint: other, identity: OWN }, settings), "EndpointNotAllowed");
  }
});

test("addresses are known in every spelling, and users have no place in a URL", () => {
  for (const host of [
    "169.254.169.254",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "0",
  ]) {
    assert.equal(refused({ endpoint: `http://${host}/` }), "EndpointNotAllowed", host);
  }
  assert.equal(refused({ endpoint: "http://trusted@thief.example" }), "EndpointNotAllowed");
  assert.equal(refused({ endpoint: "http://" }), "EndpointNotAllowed");
  assert.equal(refused({ endpoint: "http://127.0.0.1" }), "EndpointNotAllowed");
  assert.equal(refused({ endpoint: "http://127.0.0.1" }, { loopbackEndpoints: true }), undefined);
});
