import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { ObjectKind } from "@gatewright/gateway";
import { examine } from "@gatewright/gateway/examine";
import { backendClaims } from "./backend-claims.ts";
import { collide } from "./claim.ts";
import { routeClaims } from "./route-claims.ts";

const route = [{ destination: { host: "orders", port: 8080 } }];
const claimsOf = (kind: ObjectKind, spec: object) =>
  routeClaims(examine({ kind, namespace: "shop", name: "a", version: "", spec: { route, ...spec } }).matches).map(
    ({ key }) => key,
  );
const api = (...match: readonly object[]) => claimsOf("APIRoute", { match });
const share = (one: readonly string[], other: readonly string[]): boolean => one.some((key) => other.includes(key));

suite("what routes want", () => {
  test("the same requests are the same claim", () => {
    assert.ok(share(api({ uri: { prefix: "/a" } }), api({ uri: { prefix: "/a/" } })));
    assert.ok(share(api(), api({ uri: { prefix: "/" } })));
    assert.ok(
      share(api({ uri: { exact: "/a" }, methods: ["GET", "POST"] }), api({ uri: { exact: "/a" }, methods: ["post"] })),
    );
    assert.ok(share(api({ uri: { exact: "/{id}" } }), api({ uri: { exact: "/{name}" } })));
    const headers = [
      { name: "X-A", exact: "1" },
      { name: "x-b", present: true },
    ];
    assert.ok(share(api({ headers }), api({ headers: headers.toReversed() })));
    assert.ok(share(api({ uri: { exact: "/x" } }, { uri: { exact: "/a" } }), api({ uri: { exact: "/a" } })));
  });

  test("other hosts, headers, parameters, methods and nested prefixes are other claims", () => {
    const plain = api({ uri: { prefix: "/a" } });
    for (const other of [
      api({ uri: { prefix: "/a/b" } }),
      api({ uri: { exact: "/a" } }),
      api({ uri: { prefix: "/a" }, methods: ["GET"] }),
      api({ uri: { prefix: "/a" }, headers: [{ name: "x", exact: "1" }] }),
      api({ uri: { prefix: "/a" }, queryParams: [{ name: "x", exact: "1" }] }),
      claimsOf("APIRoute", { hosts: ["a.example.com"], match: [{ uri: { prefix: "/a" } }] }),
    ]) {
      assert.equal(share(plain, other), false);
    }
    assert.equal(
      share(api({ uri: { exact: "/a" }, methods: ["GET"] }), api({ uri: { exact: "/a" }, methods: ["POST"] })),
      false,
    );
  });

  test("kinds of routes are told apart by the requests that they take", () => {
    const call = { match: [{ service: { exact: "s.S" }, method: { exact: "M" } }] };
    assert.ok(share(claimsOf("GRPCRoute", call), claimsOf("GRPCRoute", call)));
    assert.equal(share(claimsOf("GRPCRoute", call), api({ uri: { exact: "/s.S/M" } })), false);
    const graphql = { match: [{ path: { exact: "/graphql" } }] };
    assert.ok(share(claimsOf("GraphQLRoute", graphql), api({ uri: { exact: "/graphql" }, methods: ["POST"] })));
    const query = { match: [{ path: { exact: "/graphql" }, operationType: "query" }] };
    assert.equal(share(claimsOf("GraphQLRoute", graphql), claimsOf("GraphQLRoute", query)), false);
  });
});

test("backends of one protocol share hosts, those of two do not, and namespaces do not concern each other", () => {
  const spec = { hosts: [{ address: "web", port: 80 }] };
  const [http] = backendClaims("Backend", "shop", spec, "cluster.local");
  const [other] = backendClaims(
    "GraphQLBackend",
    "shop",
    { hosts: [{ address: "web.shop.svc", port: 80 }] },
    "cluster.local",
  );
  const [grpc] = backendClaims("GRPCBackend", "shop", spec, "cluster.local");
  const [bank] = backendClaims("GRPCBackend", "bank", { hosts: [{ address: "web.shop", port: 80 }] }, "cluster.local");
  assert.ok(http && other && grpc && bank);
  assert.equal(http.key, other.key);
  assert.equal(collide(http, other), false);
  assert.equal(http.key, grpc.key);
  assert.ok(collide(http, grpc));
  assert.notEqual(http.key, bank.key);
});
