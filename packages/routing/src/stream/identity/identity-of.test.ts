import assert from "node:assert/strict";
import { test } from "node:test";
import { identityOf, speaksFor } from "./identity-of.ts";

const of = (hosts: readonly string[], uris: readonly string[] = [], subject = "") =>
  identityOf({ hosts, uris, subject }).map(({ namespace, name }) => `${namespace}/${name}`);

test("a certificate speaks for the gateways that its names say", () => {
  assert.deepEqual(of(["gw.edge"]), ["edge/gw"]);
  assert.deepEqual(of(["gw.eu.edge", "other.edge"]), ["edge/gw.eu", "edge/other"]);
  assert.deepEqual(of([], ["spiffe://gatewright/ns/edge/gateway/gw"]), ["edge/gw"]);
  assert.deepEqual(of([], [], "O=shop\nCN=gw.edge"), ["edge/gw"]);
});

test("wildcards, addresses, bare names and other URIs speak for nobody", () => {
  assert.deepEqual(of(["*.edge", "10.0.0.1", "::1", "gw", ".edge", "gw.", "GW.EDGE"]), []);
  assert.deepEqual(of([], ["spiffe://gatewright/ns/edge/sa/gw", "https://gatewright/ns/edge/gateway/gw"]), []);
  assert.deepEqual(of([], ["spiffe://a/ns/edge/gateway/gw/x"]), []);
  assert.deepEqual(of([], [], "CN=gw.edge\nCN=other.edge"), []);
});

test("the common name does not count beside other names", () => {
  assert.deepEqual(of(["other.edge"], [], "CN=gw.edge"), ["edge/other"]);
  assert.equal(speaksFor([{ namespace: "edge", name: "gw" }], { namespace: "edge", name: "gw" }), true);
  assert.equal(speaksFor([{ namespace: "edge", name: "gw" }], { namespace: "shop", name: "gw" }), false);
});
