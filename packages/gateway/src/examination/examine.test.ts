import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { GivenObject, ObjectKind } from "../configuration/objects.ts";
import { examine } from "./examine.ts";

const given = (kind: ObjectKind, spec: unknown): GivenObject => ({
  kind,
  namespace: "shop",
  name: "orders",
  version: "1",
  spec,
});
const route = [{ destination: { host: "orders", port: 8080 } }];
const told = (object: GivenObject) => examine(object).findings.map(({ severity, field }) => `${severity} ${field}`);

suite("what a gateway would say", () => {
  test("a good route has its defaults, and says which requests it is for", () => {
    const { findings, spec, matches } = examine(
      given("APIRoute", { hosts: ["a.example.com"], match: [{ uri: { prefix: "/a" }, methods: ["get"] }], route }),
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(spec?.["route"], [{ destination: { host: "orders", port: 8080 }, weight: 100 }]);
    assert.equal(matches.length, 1);
    assert.equal(matches[0]?.host, "a.example.com");
    assert.deepEqual(matches[0]?.path, { type: "prefix", value: "/a" });
    assert.deepEqual(matches[0]?.methods, new Set(["GET"]));
  });

  test("what the schema, a rule or the compiler finds names the field", () => {
    assert.deepEqual(told(given("APIRoute", { match: [{ uri: { regex: "(" } }], route })), [
      "error spec.match[0].uri.regex",
    ]);
    assert.deepEqual(told(given("APIRoute", { route: [{ destination: { host: "a", port: 0 } }] })), [
      "error spec.route[0].destination.port",
    ]);
    assert.equal(examine(given("APIRoute", { match: [] })).spec, undefined);
    assert.deepEqual(told(given("APIRoute", { route, nothing: 1 })), ["warning spec.nothing"]);
    assert.equal(examine(given("APIRoute", 7)).spec, undefined);
  });

  test("a name in a rewrite or a redirect that a path does not have is told", () => {
    const match = [{ uri: { exact: "/u/{id}" } }, { uri: { regex: "/v/(?P<id>.+)" } }, { uri: { prefix: "/w/x{id}" } }];
    assert.deepEqual(told(given("APIRoute", { match, route, rewrite: { uri: "/{id}?{q}" } })), []);
    const { findings } = examine(given("APIRoute", { match, route, rewrite: { uri: "/{id}/{idd}" } }));
    assert.deepEqual(
      findings.map(({ severity, field, message }) => [severity, field, message]),
      [["warning", "spec.rewrite.uri", "{idd} is none of the names in spec.match[0].uri: it is sent as it is written"]],
    );
    const plain = [...match, { uri: { prefix: "/z" } }];
    assert.deepEqual(told(given("APIRoute", { match: plain, redirect: { uri: "/{id}" } })), [
      "warning spec.redirect.uri",
    ]);
  });

  test("files are on the gateway's machine and are not judged here", () => {
    const openAPIValidation = { enabled: true, specFile: "/openapi.yaml" };
    assert.deepEqual(told(given("APIRoute", { route, openAPIValidation })), []);
    const tls = { enabled: true, caFile: "/ca.pem" };
    assert.deepEqual(told(given("Backend", { hosts: [{ address: "a", port: 80 }], tls })), []);
  });

  test("a backend with health checks is looked at without a socket or a timer", () => {
    const hosts = [{ address: "10.0.0.7", port: 80 }];
    const { findings, spec } = examine(given("Backend", { hosts, healthCheck: { path: "/health" } }));
    assert.deepEqual(findings, []);
    assert.ok(spec);
    assert.deepEqual(told(given("Backend", { hosts: [{ address: "169.254.169.254", port: 80 }] })), [
      "warning spec.hosts",
    ]);
  });

  test("questions of browsers are nobody's own: routes with CORS at one path do not want the same requests", () => {
    const { matches } = examine(
      given("APIRoute", { match: [{ uri: { exact: "/a" }, methods: ["GET"] }], cors: { allowOrigins: ["*"] }, route }),
    );
    assert.deepEqual(
      matches.map(({ methods }) => [...(methods ?? [])]),
      [["GET"]],
    );
  });
});
