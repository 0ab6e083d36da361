import assert from "node:assert/strict";
import { test } from "node:test";
import { adviceOn } from "./advice.ts";

test("a check that is switched on inside a block that is off is told: it keeps nobody out", () => {
  const basic = { enabled: true, users: [] };
  assert.deepEqual(adviceOn({ authentication: { enabled: false, basic, jwt: { enabled: false } } }), [
    "spec.authentication is not enabled, though basic is: nobody is kept out; set spec.authentication.enabled",
  ]);
  assert.deepEqual(adviceOn({ authorization: { rbac: { enabled: true }, abac: { enabled: true } } }), [
    "spec.authorization is not enabled, though rbac and abac are: nobody is kept out; set spec.authorization.enabled",
  ]);
  assert.deepEqual(adviceOn({ authentication: { enabled: true, basic } }), []);
  assert.deepEqual(adviceOn({ authentication: { enabled: false, basic: { enabled: false } } }), []);
});

test("of two ways to answer the one that does nothing is told", () => {
  assert.deepEqual(adviceOn({ redirect: { uri: "/" }, directResponse: { status: 200 } }), [
    "spec.directResponse has no effect beside spec.redirect",
  ]);
});

test("files of a gateway's machine are told to need that gateway's consent", () => {
  assert.deepEqual(adviceOn({ tls: { enabled: true, certFile: "/etc/gatewright/client/tls.crt", keyFile: "" } }), [
    "spec.tls.certFile: gateways read files only in directories that their settings allow (files.allowDirectories)",
  ]);
  assert.deepEqual(adviceOn({ tls: { enabled: false, certFile: "/a.pem" } }), []);
});
