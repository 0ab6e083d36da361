import assert from "node:assert/strict";
import { test } from "node:test";
import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { anonymous } from "../auth/user.ts";
import { getRequest } from "../discovery/testing/get-request.ts";
import { sampleResource } from "../discovery/testing/sample-resource.ts";
import type { ApiResponse } from "../http/api-request.ts";
import { ResourceRegistry } from "../resources/registry.ts";
import { openapiPaths } from "./openapi-paths.ts";

const clock = new ManualClock(Date.UTC(2026, 10, 15));

const foo = (openapi: JsonObject): ReturnType<typeof sampleResource> =>
  sampleResource({
    group: "stable.example.com",
    versions: ["v1"],
    resource: "foos",
    kind: "Foo",
    namespaced: true,
    subresources: { status: "object", scale: "scale" },
    openapi,
  });

function registry(): ResourceRegistry {
  const made = new ResourceRegistry();
  const namespaced = true;
  made.set(sampleResource({ group: "", versions: ["v1"], resource: "configmaps", kind: "ConfigMap", namespaced }));
  made.set(
    sampleResource({
      group: "",
      versions: ["v1"],
      resource: "serviceaccounts",
      kind: "ServiceAccount",
      namespaced,
      subresources: { token: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" } },
    }),
  );
  made.set(
    sampleResource({
      group: "apps",
      versions: ["v1"],
      resource: "deployments",
      kind: "Deployment",
      namespaced,
      subresources: { status: "object", scale: "scale" },
    }),
  );
  made.set(
    foo({
      type: "object",
      properties: {
        metadata: { allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] },
        spec: {
          type: "object",
          properties: { size: { type: "integer", default: 1 }, name: { type: "string", nullable: true } },
        },
      },
    }),
  );
  return made;
}

async function ask(target: string, headers: Record<string, string> = {}, from = registry()): Promise<ApiResponse> {
  const request = getRequest(target, headers);
  const answer = await openapiPaths(from, clock)(request, request.path, anonymous);
  assert.ok(answer, target);
  return answer;
}

async function document(target: string): Promise<JsonObject> {
  const answer = await ask(target);
  assert.equal(answer.status, 200);
  return JSON.parse((answer.body as Buffer).toString()) as JsonObject;
}

async function urlOf(path: string): Promise<string> {
  const index = await document("/openapi/v3");
  return getPath(index, "paths", path, "serverRelativeURL") as string;
}

test("the index names a document for each group version by its hash", async () => {
  const index = await document("/openapi/v3?timeout=32s");
  assert.deepEqual(Object.keys(index["paths"] as JsonObject), ["api/v1", "apis/apps/v1", "apis/stable.example.com/v1"]);
  const url = await urlOf("apis/apps/v1");
  assert.match(url, /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  const answer = await ask(url, { accept: "application/json" });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["cache-control"], "public, immutable");
  assert.equal(answer.headers["expires"], "Mon, 15 Nov 2027 00:00:00 UTC");
  assert.equal(answer.headers["etag"], `"${url.slice(url.indexOf("=") + 1)}"`);
});

test("an old hash leads to the new one, a seen document is not sent again, other formats are refused", async () => {
  const url = await urlOf("api/v1");
  const moved = await ask("/openapi/v3/api/v1?hash=ABC");
  assert.equal(moved.status, 301);
  assert.equal(moved.headers["location"], url);
  const { etag } = (await ask(url)).headers;
  assert.equal((await ask(url, { "if-none-match": String(etag) })).status, 304);
  assert.equal((await ask(url, { accept: "application/com.github.proto-openapi.spec.v3@v1.0+protobuf" })).status, 406);
  assert.equal((await ask("/openapi/v3/apis/nope/v1")).status, 404);
  assert.equal((await ask("/openapi/v2", { accept: "application/yaml" })).status, 406);
});

test("v2 is also there in protobuf, by either of its names, as the same document", async () => {
  const asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  const answered = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  const resources = registry();
  const paths = openapiPaths(resources, clock);
  const get = async (headers: Record<string, string>): Promise<ApiResponse> =>
    (await paths(getRequest("/openapi/v2", headers), "/openapi/v2", anonymous))!;
  const answer = await get({ accept: asked });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers["content-type"], answered);
  assert.equal(answer.headers["vary"], "Accept");
  assert.ok((answer.body as Buffer).includes("com.example.stable.v1.Foo"));
  assert.equal((await get({ accept: answered })).body, answer.body);
  const { etag } = (await get({})).headers;
  assert.equal(answer.headers["etag"], etag);
  const seen = await get({ accept: asked, "if-none-match": String(etag) });
  assert.equal(seen.status, 304);
  assert.equal((seen.body as Buffer).length, 0);
  for (const [accept, type] of [
    [`${asked}, application/json`, answered],
    [`${asked};q=0.5, application/json`, "application/json"],
    ["application/*", "application/json"],
    [`application/yaml, ${asked}`, answered],
  ] as const)
    assert.equal((await get({ accept })).headers["content-type"], type, accept);
  resources.remove({ group: "stable.example.com", resource: "foos" });
  assert.ok(!((await get({ accept: asked })).body as Buffer).includes("com.example.stable.v1.Foo"));
});

test("a patch operation tells kubectl what it needs: field validation, and strategic merge for built-in kinds only", async () => {
  const patchOf = async (path: string, item: string): Promise<JsonObject> => {
    const patch = getPath(await document(`/openapi/v3/${path}`), "paths", item, "patch");
    assert.ok(isObject(patch));
    return patch;
  };
  const builtin = await patchOf("apis/apps/v1", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}");
  const names = (builtin["parameters"] as JsonObject[]).map((parameter) => parameter["name"]);
  assert.deepEqual(names, ["dryRun", "fieldManager", "fieldValidation", "force"]);
  assert.deepEqual(builtin["x-kubernetes-group-version-kind"], { group: "apps", version: "v1", kind: "Deployment" });
  assert.equal(builtin["operationId"], "patchAppsV1NamespacedDeployment");
  assert.deepEqual(Object.keys(getPath(builtin, "requestBody", "content") as JsonObject), [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ]);
  const custom = await patchOf(
    "apis/stable.example.com/v1",
    "/apis/stable.example.com/v1/namespaces/{namespace}/foos/{name}",
  );
  assert.equal(custom["operationId"], "patchStableExampleComV1NamespacedFoo");
  assert.deepEqual(Object.keys(getPath(custom, "requestBody", "content") as JsonObject), [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
  ]);
});

test("schemas carry what merging needs, and every reference leads somewhere", async () => {
  const apps = await document("/openapi/v3/apis/apps/v1");
  const schemas = getPath(apps, "components", "schemas") as JsonObject;
  assert.deepEqual(getPath(schemas, "io.k8s.api.core.v1.PodSpec", "properties", "containers"), {
    type: "array",
    items: { default: {}, allOf: [{ $ref: "#/components/schemas/io.k8s.api.core.v1.Container" }] },
    "x-kubernetes-list-map-keys": ["name"],
    "x-kubernetes-list-type": "map",
    "x-kubernetes-patch-merge-key": "name",
    "x-kubernetes-patch-strategy": "merge",
  });
  assert.deepEqual(getPath(schemas, "io.k8s.api.core.v1.ContainerPort", "properties", "protocol"), {
    type: "string",
    default: "TCP",
    enum: ["SCTP", "TCP", "UDP"],
  });
  assert.deepEqual(getPath(schemas, "io.k8s.api.apps.v1.Deployment", "x-kubernetes-group-version-kind"), [
    { group: "apps", kind: "Deployment", version: "v1" },
  ]);
  for (const path of ["api/v1", "apis/apps/v1", "apis/stable.example.com/v1"]) {
    const found = await document(`/openapi/v3/${path}`);
    assert.deepEqual(
      dangling(found, "#/components/schemas/", getPath(found, "components", "schemas") as JsonObject),
      [],
    );
  }
  const v2 = await document("/openapi/v2");
  assert.deepEqual(dangling(v2, "#/definitions/", v2["definitions"] as JsonObject), []);
});

function dangling(value: Json, prefix: string, schemas: JsonObject): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => dangling(item, prefix, schemas));
  if (!isObject(value)) return [];
  const own = value["$ref"];
  const wrong =
    typeof own === "string" && !(own.startsWith(prefix) && Object.hasOwn(schemas, own.slice(prefix.length)));
  return [...(wrong ? [own] : []), ...Object.values(value).flatMap((child) => dangling(child, prefix, schemas))];
}

test("custom kinds are published with their list, and without what v2 cannot say in v2", async () => {
  const schemas = getPath(
    await document("/openapi/v3/apis/stable.example.com/v1"),
    "components",
    "schemas",
  ) as JsonObject;
  assert.deepEqual(getPath(schemas, "com.example.stable.v1.Foo", "x-kubernetes-group-version-kind"), [
    { group: "stable.example.com", kind: "Foo", version: "v1" },
  ]);
  assert.deepEqual(getPath(schemas, "com.example.stable.v1.FooList", "properties", "items", "items"), {
    $ref: "#/components/schemas/com.example.stable.v1.Foo",
  });
  assert.ok(Object.hasOwn(schemas, "io.k8s.api.autoscaling.v1.Scale"));
  const v2 = await document("/openapi/v2");
  assert.deepEqual(getPath(v2, "definitions", "com.example.stable.v1.Foo", "properties", "spec", "properties"), {
    size: { type: "integer" },
    name: {},
  });
  assert.equal(getPath(v2, "definitions", "io.k8s.apimachinery.pkg.api.resource.Quantity", "type"), "string");
});

test("in v2, what may be null or have unknown fields has neither properties nor a type: kubectl would refuse the rest", async () => {
  const resources = registry();
  const known = { known: { type: "string" } };
  const spec: JsonObject = {
    type: "object",
    required: ["empty", "size"],
    properties: {
      empty: { type: "object", nullable: true, properties: known },
      list: { type: "array", nullable: true, items: { type: "object", properties: known } },
      open: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: known },
      size: { type: "integer" },
    },
  };
  resources.set(foo({ type: "object", properties: { spec } }));
  const answer = await ask("/openapi/v2", {}, resources);
  const v2 = JSON.parse((answer.body as Buffer).toString()) as JsonObject;
  assert.deepEqual(getPath(v2, "definitions", "com.example.stable.v1.Foo", "properties", "spec"), {
    type: "object",
    required: ["size"],
    properties: {
      empty: {},
      list: {},
      open: { "x-kubernetes-preserve-unknown-fields": true },
      size: { type: "integer" },
    },
  });
});

test("a changed resource changes the document of its own group version only", async () => {
  const resources = registry();
  const paths = openapiPaths(resources, clock);
  const hashes = async (): Promise<Map<string, string>> => {
    const answer = (await paths(getRequest("/openapi/v3"), "/openapi/v3", anonymous))!;
    const index = JSON.parse((answer.body as Buffer).toString()) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    return new Map(Object.entries(index.paths).map(([path, { serverRelativeURL }]) => [path, serverRelativeURL]));
  };
  const before = await hashes();
  resources.set(foo({ type: "object", "x-kubernetes-preserve-unknown-fields": true }));
  const after = await hashes();
  assert.equal(after.get("apis/apps/v1"), before.get("apis/apps/v1"));
  assert.notEqual(after.get("apis/stable.example.com/v1"), before.get("apis/stable.example.com/v1"));
  resources.remove({ group: "stable.example.com", resource: "foos" });
  assert.ok(!(await hashes()).has("apis/stable.example.com/v1"));
});

test("a custom default that looks like a reference breaks nothing", async () => {
  const resources = registry();
  const value = { $ref: "#/components/schemas/nowhere", __proto__: null };
  resources.set(foo({ type: "object", properties: { spec: { type: "object", default: value } } }));
  assert.equal((await ask("/openapi/v3", {}, resources)).status, 200);
  assert.equal((await ask("/openapi/v2", {}, resources)).status, 200);
});
