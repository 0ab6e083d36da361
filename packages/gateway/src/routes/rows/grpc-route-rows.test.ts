import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, routeNamed } from "../../table/sample-rows.ts";
import { buildTable } from "../../table/routing-table.ts";
import { grpcRouteRows } from "./grpc-route-rows.ts";

type Spec = Parameters<typeof grpcRouteRows>[0];
const GRPC = ["content-type", "application/grpc+proto"];

function winner(specs: Readonly<Record<string, Spec>>, call: string, ...metadata: string[]): string | undefined {
  const rows = Object.entries(specs).flatMap(([name, spec]) => {
    const made = grpcRouteRows(spec, routeNamed(name), { version: "1" });
    assert.deepEqual(made.findings, []);
    return made.rows;
  });
  return buildTable(rows).match(ask(`POST ${call}`, ...GRPC, ...metadata))?.route.name;
}

test("the more is said about the service, and then about the method, the earlier a route is asked", () => {
  const specs: Record<string, Spec> = {
    all: { match: [{ service: { exact: "*" } }] },
    method: { match: [{ method: { exact: "Get" } }] },
    servicePattern: { match: [{ service: { regex: "shop\\.[A-Z].*" } }] },
    servicePrefix: { match: [{ service: { prefix: "shop." } }] },
    service: { match: [{ service: { exact: "shop.Orders" } }] },
    methodPrefix: { match: [{ service: { exact: "shop.Orders" }, method: { prefix: "List" } }] },
    both: { match: [{ service: { exact: "shop.Orders" }, method: { exact: "Get" } }] },
  };
  assert.equal(winner(specs, "h/shop.Orders/Get"), "both");
  assert.equal(winner(specs, "h/shop.Orders/ListAll"), "methodPrefix");
  assert.equal(winner(specs, "h/shop.Orders/Put"), "service");
  assert.equal(winner(specs, "h/shop.Users/Get"), "servicePattern");
  assert.equal(winner(specs, "h/shop.users/Get"), "servicePrefix");
  assert.equal(winner(specs, "h/other.Users/Get"), "method");
  assert.equal(winner(specs, "h/other.Users/Put"), "all");
});

test("only calls of gRPC are taken", () => {
  const { rows } = grpcRouteRows({}, routeNamed("r"), { version: "1" });
  assert.equal(buildTable(rows).match(ask("POST h/a.B/C")), undefined);
  assert.ok(buildTable(rows).match(ask("POST h/a.B/C", ...GRPC)));
});

test("an exact authority is a host, others are compared", () => {
  const exact: Spec = { match: [{ authority: { exact: "API.example.com" } }] };
  assert.equal(winner({ exact }, "api.example.com:443/a/b"), "exact");
  assert.equal(winner({ exact }, "b.example.com/a/b"), undefined);
  const prefix: Spec = { match: [{ authority: { prefix: "api." } }] };
  assert.equal(winner({ prefix }, "api.example.com:443/a/b"), "prefix");
  assert.equal(winner({ prefix }, "b.example.com/a/b"), undefined);
});

test("metadata has to match, and what is listed in withoutHeaders not to be there", () => {
  const spec: Spec = { match: [{ metadata: [{ name: "X-Tenant", prefix: "t" }], withoutHeaders: ["X-Debug"] }] };
  assert.equal(winner({ spec }, "h/a/b", "x-tenant", "t1"), "spec");
  assert.equal(winner({ spec }, "h/a/b", "x-tenant", "u1"), undefined);
  assert.equal(winner({ spec }, "h/a/b", "x-tenant", "t1", "x-debug", "1"), undefined);
});

test("a pattern with a slash in a class stays within its element", () => {
  const spec: Spec = { match: [{ service: { regex: "shop[^/]+" }, method: { exact: "Get" } }] };
  assert.equal(winner({ spec }, "h/shop.A/Get"), "spec");
  assert.equal(winner({ spec }, "h/shop.A/x/Get"), undefined);
});

test("names that cannot be elements of a path, and patterns that are not RE2, are errors", () => {
  const spec: Spec = { match: [{ service: { exact: "a/b" }, method: { regex: "(" }, authority: { regex: "[" } }] };
  const { rows, findings } = grpcRouteRows(spec, routeNamed("r"), { version: "1" });
  assert.deepEqual(rows, []);
  assert.deepEqual(
    findings.map(({ field }) => field),
    ["spec.match[0].service.exact", "spec.match[0].method.regex", "spec.match[0].authority.regex"],
  );
});
