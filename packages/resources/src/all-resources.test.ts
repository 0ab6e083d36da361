import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { groupVersionPath, isObject } from "@gatewright/kube";
import type { ApiObject, JsonObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { allResources } from "./all-resources.ts";
import { DomainClaim } from "./domain-claim.ts";
import { HostnameGrant } from "./hostname-grant.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

suite("kinds of ours on an API server", () => {
  let server: ApiServer;
  before(async () => {
    server = await createApiServer();
    for (const definition of allResources) {
      const { status, body } = await ask("POST", CRDS, crdOf(definition));
      assert.equal(status, 201, JSON.stringify(body));
      while ((await ask("GET", collection(definition))).status !== 200) await new Promise(setImmediate);
    }
  });
  after(() => server.close());

  const collection = (definition: (typeof allResources)[number]): string =>
    `${groupVersionPath(definition)}${definition.namespaced ? "/namespaces/default" : ""}/${definition.plural}`;

  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: JsonObject }> {
    const response = await server.transport()({
      method,
      path,
      headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: response.status, body: text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {} };
  }

  test("the example of each kind is taken as it is", async () => {
    for (const definition of allResources) {
      assert.ok(isObject(definition.example), `${definition.kind} has no example`);
      const { status, body } = await ask(
        "POST",
        `${collection(definition)}?fieldValidation=Strict`,
        definition.example,
      );
      assert.equal(status, 201, JSON.stringify(body));
    }
  });

  const claim = (name: string, hostname: string) => {
    const { spec, ...rest } = DomainClaim.example!;
    return { ...rest, metadata: { name }, spec: { ...spec, hostname } };
  };

  test("a claim keeps its hostname and may change its owner", async () => {
    const path = collection(DomainClaim);
    await ask("POST", path, claim("fixed", "fixed.example.com"));
    const moved = await ask("PATCH", `${path}/fixed`, { spec: { hostname: "other.example.com" } });
    assert.equal(moved.status, 422);
    assert.match(String(moved.body["message"]), /spec.hostname: Invalid value: "other.example.com": is immutable/);
    const handed = await ask("PATCH", `${path}/fixed`, { spec: { ownerRef: { uid: "another" } } });
    assert.equal(handed.status, 200);
  });

  test("a claim remembers all that was made for it", async () => {
    const path = collection(DomainClaim);
    await ask("POST", path, claim("memory", "memory.example.com"));
    const at = "2030-01-01T00:00:00Z";
    const loadBalancer = { dnsName: "gw-01.elb.example.com", zoneId: "Z1", dualStack: true };
    const status: DomainClaim["status"] = {
      claimedAt: at,
      observedGeneration: 1,
      certificate: {
        arn: "arn:aws:acm:eu-central-1:123456789012:certificate/1",
        request: { names: ["memory.example.com"], token: "a_1", keyAlgorithm: "RSA_2048", attempt: 0, requestedAt: at },
        adopted: false,
      },
      gateway: "gw-01",
      leaving: [{ gateway: "gw-02", since: at, loadBalancer }],
      loadBalancer,
      records: [
        {
          name: "_a.memory.example.com",
          type: "CNAME",
          ttl: 300,
          values: ["_b.acm-validations.aws"],
          purpose: "validation",
        },
        {
          name: "memory.example.com",
          type: "A",
          alias: { dnsName: "gw-01.elb.example.com", zoneId: "Z1", evaluateTargetHealth: true },
          setIdentifier: "blue",
          weight: 10,
          healthCheckId: "1",
          purpose: "alias",
        },
      ],
      released: { at, step: "drain" },
      conditions: [{ type: "Ready", status: "True", reason: "Serving", message: "", lastTransitionTime: at }],
    };
    const { body } = await ask("PATCH", `${path}/memory/status`, { status });
    assert.deepEqual(body["status"], status);
  });

  test("a grant has at least one hostname, in lower case", async () => {
    const grant = (hostnames: readonly string[]) => ({
      ...HostnameGrant.example!,
      metadata: { name: `grant-${hostnames.length}`, namespace: "default" },
      spec: { namespace: "shop", hostnames },
    });
    for (const [hostnames, expected] of [
      [[], 422],
      [["Shop.example.com"], 422],
      [["*.shop.example.com"], 201],
    ] as const) {
      assert.equal((await ask("POST", collection(HostnameGrant), grant(hostnames))).status, expected, hostnames.join());
    }
  });

  test("hostnames are lower case below a top-level domain, with punycode and one wildcard in front", async () => {
    const hosts = {
      good: ["a.example.com", "*.example.com", "a-b.example.xn--p1ai", "xn--mnchen-3ya.example.com"],
      bad: ["example", "Example.com", "a..com", "-a.com", "a.*.com", "*.com.", "a.c", `${"a".repeat(64)}.com`],
    };
    let count = 0;
    for (const [expected, list] of [
      [201, hosts.good],
      [422, hosts.bad],
    ] as const) {
      for (const host of list) {
        const { status } = await ask("POST", collection(DomainClaim), claim(`host-${count++}`, host));
        assert.equal(status, expected, host);
      }
    }
  });
});

test("kinds have distinct names and belong to the groups that users know", () => {
  const names = allResources.map(({ plural, group }) => `${plural}.${group}`);
  assert.equal(new Set(names).size, names.length);
  const claim: ApiObject = DomainClaim.example!;
  assert.equal(claim.apiVersion, "gateway.opendi.com/v1alpha1");
});
