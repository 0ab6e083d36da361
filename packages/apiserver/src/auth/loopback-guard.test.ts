import assert from "node:assert/strict";
import { test } from "node:test";
import { bindingAllowed } from "./binding-allowed.ts";
import { loopbackGuard } from "./loopback-guard.ts";

const guard = (host: string | undefined, more: Partial<Parameters<typeof loopbackGuard>[0]> = {}): string | undefined =>
  loopbackGuard({ method: "POST", host, ...more });

test("requests by a loopback name go on", () => {
  for (const host of ["localhost", "localhost:3000", "LocalHost:3000", "127.0.0.1:3000", "127.9.9.9", "[::1]:3000"]) {
    assert.equal(guard(host), undefined, host);
  }
});

test("any other Host is refused, whatever it resolves to", () => {
  const hosts = [
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "0.0.0.0:3000",
    "10.0.0.1",
    "[::]:3000",
    "",
    undefined,
    "localhost@evil",
    "localhost/x",
    "127.1",
    "2130706433",
  ];
  for (const host of hosts) assert.notEqual(guard(host), undefined, String(host));
});

test("a foreign Origin is refused, the server's own is not", () => {
  assert.equal(guard("localhost:3000", { origin: "http://localhost:3000" }), undefined);
  for (const origin of ["https://evil.example", "http://localhost:8080", "null", "http://localhost", "file://", ""]) {
    assert.notEqual(guard("localhost:3000", { origin }), undefined, origin);
  }
});

test("a browser that says cross-site is refused, unless somebody follows a link", () => {
  assert.equal(guard("localhost:3000", { secFetchSite: "same-origin" }), undefined);
  assert.equal(guard("localhost:3000", { secFetchSite: "none" }), undefined);
  assert.notEqual(guard("localhost:3000", { secFetchSite: "cross-site" }), undefined);
  assert.notEqual(guard("localhost:3000", { secFetchSite: "same-site" }), undefined);
  assert.equal(
    guard("localhost:3000", { method: "GET", secFetchSite: "cross-site", secFetchMode: "navigate" }),
    undefined,
  );
  assert.notEqual(
    guard("localhost:3000", { method: "POST", secFetchSite: "cross-site", secFetchMode: "navigate" }),
    undefined,
  );
});

test("only loopback may be listened on without TLS and authentication", () => {
  for (const address of ["127.0.0.1", "::1", "localhost"])
    assert.equal(bindingAllowed({ address, tls: false, authentication: false }), undefined);
  for (const address of ["0.0.0.0", "::", "", "192.168.1.2", "example.com"]) {
    assert.match(bindingAllowed({ address, tls: false, authentication: false }) ?? "", /needs TLS and authentication/);
    assert.match(bindingAllowed({ address, tls: true, authentication: false }) ?? "", /needs authentication/);
    assert.match(bindingAllowed({ address, tls: false, authentication: true }) ?? "", /needs TLS;/);
    assert.equal(bindingAllowed({ address, tls: true, authentication: true }), undefined);
  }
});
