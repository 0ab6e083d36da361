import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { formatFieldError, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { CRDS } from "./crd-resource.ts";
import { startCrdCluster } from "./testing/crd-cluster.ts";

const DATA = join(import.meta.dirname, "../../../../../shared/data");
const FOLDERS = ["gateway-api-1.6.1", "cert-manager", "aws-load-balancer-controller"];
const skip = existsSync(DATA) ? false : "the shared data is not here";

function definitions(folder: string): KubeObject[] {
  return readdirSync(join(DATA, folder))
    .flatMap((file) => parseAllDocuments(readFileSync(join(DATA, folder, file), "utf8")))
    .map((document) => document.toJS() as Json)
    .filter((object): object is KubeObject => isObject(object) && object["kind"] === "CustomResourceDefinition");
}

for (const folder of FOLDERS) {
  test(`the definitions of ${folder} load unchanged and are served`, { skip }, async () => {
    const { cluster, controller, reports } = startCrdCluster();
    const crds = definitions(folder);
    assert.ok(crds.length > 0);
    for (const crd of crds) await cluster.create(CRDS, crd);
    await controller.idle();
    for (const { metadata } of crds) {
      const [resource = "", ...group] = (metadata.name ?? "").split(".");
      assert.ok(cluster.resources.get({ group: group.join("."), resource }), metadata.name);
    }
    assert.deepEqual(reports, []);
    await controller.stop();
  });
}

const ROUTES = { group: "gateway.networking.k8s.io", resource: "httproutes" };
const route = (rule: JsonObject): KubeObject => ({
  apiVersion: "gateway.networking.k8s.io/v1",
  kind: "HTTPRoute",
  metadata: { name: "r", namespace: "default" },
  spec: { parentRefs: [{ name: "gw" }], rules: [rule] },
});

test("an invalid HTTPRoute is refused by the rules of its own definition", { skip }, async () => {
  const { cluster, controller } = startCrdCluster();
  const crd = definitions("gateway-api-1.6.1").find((d) => d.metadata.name === "httproutes.gateway.networking.k8s.io");
  await cluster.create(CRDS, crd!);
  await controller.idle();
  const backendRefs = [{ name: "svc", port: 80 }];
  await cluster.create(ROUTES, route({ matches: [{ path: { type: "PathPrefix", value: "/a" } }], backendRefs }));
  const bad = route({
    matches: [{ path: { type: "PathPrefix", value: "/a//b" } }],
    filters: [{ type: "RequestRedirect", requestRedirect: {} }],
    backendRefs,
  });
  bad.metadata.name = "bad";
  await assert.rejects(cluster.create(ROUTES, bad), {
    code: 422,
    message:
      'HTTPRoute.gateway.networking.k8s.io "bad" is invalid: [spec.rules[0]: Invalid value: RequestRedirect filter must not be used together with backendRefs, ' +
      "spec.rules[0].matches[0].path: Invalid value: must not contain '//' when type one of ['Exact', 'PathPrefix']]",
  });
  await controller.stop();
});

test("a definition is refused with every error that kube-apiserver finds", async () => {
  const { cluster, controller } = startCrdCluster();
  const crd: KubeObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gizmos.example.com" },
    spec: {},
  };
  const resource = cluster.resources.get(CRDS)!;
  const { object } = resource.versions[0]!.decode(crd);
  const context = { cluster, version: "v1", warn: () => {} } as never;
  await resource.strategy.prepareForCreate(object, context);
  assert.deepEqual(resource.strategy.validateCreate(object, context).map(formatFieldError), [
    'metadata.name: Invalid value: "gizmos.example.com": must be spec.names.plural+"."+spec.group',
    "spec.group: Required value",
    "spec.scope: Required value",
    "spec.versions: Invalid value: null: must have exactly one version marked as storage version",
    "spec.names.plural: Required value",
    "spec.names.singular: Required value",
    "spec.names.kind: Required value",
    "spec.names.listKind: Required value",
    "status.storedVersions: Invalid value: null: must have at least one stored version",
  ]);
  await controller.stop();
});
