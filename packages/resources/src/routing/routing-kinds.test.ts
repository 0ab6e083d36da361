import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { isObject } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { parseAllDocuments } from "yaml";
import { APIRoute } from "./api-route.ts";
import { Backend } from "./backend.ts";
import { GraphQLBackend } from "./graphql-backend.ts";
import { GraphQLRoute } from "./graphql-route.ts";
import { GRPCBackend } from "./grpc-backend.ts";
import { GRPCRoute } from "./grpc-route.ts";
import { admit } from "./testing/admission.ts";

const KINDS: readonly ResourceDefinition[] = [APIRoute, GRPCRoute, GraphQLRoute, Backend, GRPCBackend, GraphQLBackend];

/** Manifests that users of the original have from its first page. */
const DOCUMENTED = `
apiVersion: avapigw.io/v1alpha1
kind: APIRoute
metadata: { name: api-v1, namespace: production }
spec:
  match:
    - uri:
        prefix: /api/v1
      methods: [GET, POST]
  route:
    - destination:
        host: api-backend
        port: 8080
  timeout: 30s
  retries:
    attempts: 3
    perTryTimeout: 10s
---
apiVersion: avapigw.io/v1alpha1
kind: Backend
metadata: { name: hello-backend }
spec:
  hosts:
    - address: hello-service.default.svc.cluster.local
      port: 8080
      weight: 1
  healthCheck:
    path: /health
    interval: 10s
    timeout: 5s
---
apiVersion: avapigw.io/v1alpha1
kind: APIRoute
metadata: { name: hello-route }
spec:
  match:
    - uri:
        prefix: /hello
      methods: [GET]
  route:
    - destination:
        host: hello-service
        port: 8080
`;

suite("kinds of avapigw.io", () => {
  test("manifests of the original's documentation are admitted as they are", () => {
    for (const document of parseAllDocuments(DOCUMENTED)) {
      const { kind, spec } = document.toJS() as { kind: string; spec: JsonObject };
      const { unknown, errors } = admit(
        KINDS.find((definition) => definition.kind === kind)!,
        spec,
      );
      assert.deepEqual([...unknown, ...errors], []);
    }
  });

  test("the example of each kind is admitted, with nothing unknown in it", () => {
    for (const definition of KINDS) {
      assert.ok(isObject(definition.example) && isObject(definition.example["spec"]));
      const { unknown, errors } = admit(definition, definition.example["spec"]);
      assert.deepEqual([...unknown, ...errors], [], definition.kind);
    }
  });

  test("kubectl shows routes with their gateways and backends with their hosts", () => {
    for (const { kind, versions, shortNames } of KINDS) {
      const columns = versions[0]!.columns.map(({ name }) => name);
      const expected = kind.endsWith("Route") ? ["Ready", "Gateways", "Age"] : ["Ready", "Healthy", "Hosts", "Age"];
      assert.deepEqual(columns, expected, kind);
      assert.equal(shortNames.length, 1, kind);
    }
  });

  test("what is left out is filled in as the original did", () => {
    const { spec } = admit(APIRoute, {
      route: [{ destination: { host: "a", port: 80 } }],
      redirect: {},
      mirror: { destination: { host: "b", port: 80 } },
      retries: {},
      rateLimit: { requestsPerSecond: 1, burst: 1 },
      authentication: { apiKey: {} },
      aggregate: { targets: [{ name: "a", destination: { host: "a", port: 1 } }], merge: {} },
    });
    assert.deepEqual(spec, {
      route: [{ destination: { host: "a", port: 80 }, weight: 100 }],
      redirect: { code: 302 },
      mirror: { destination: { host: "b", port: 80 }, percentage: 100 },
      retries: { attempts: 3 },
      rateLimit: { requestsPerSecond: 1, burst: 1, enabled: false, store: "memory" },
      authentication: { enabled: false, apiKey: { enabled: false, header: "X-API-Key" } },
      aggregate: {
        enabled: false,
        maxParallel: 8,
        failMode: "all",
        targets: [{ name: "a", destination: { host: "a", port: 1 } }],
        merge: { enabled: false, strategy: "deep" },
      },
    });
  });

  test("several destinations have weights that sum to 100, or all the same default", () => {
    const to = (...weights: (number | undefined)[]) =>
      admit(APIRoute, {
        route: weights.map((weight, i) => ({
          destination: { host: `b${i}`, port: 80 },
          ...(weight !== undefined && { weight }),
        })),
      }).errors;
    for (const good of [[undefined], [7], [undefined, undefined], [100, 100, 100], [90, 10], [0, 0], [100, 0]]) {
      assert.deepEqual(to(...good), [], String(good));
    }
    for (const bad of [
      [90, 20],
      [undefined, 50],
    ]) {
      assert.match(String(to(...bad)), /the weights of several destinations sum to 100; leave all of them out/);
    }
  });
});
