import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { anonymous } from "../auth/user.ts";
import type { ApiResponse } from "../http/api-request.ts";
import { ResourceRegistry } from "../resources/registry.ts";
import { discoveryPaths } from "./discovery-paths.ts";
import { getRequest } from "./testing/get-request.ts";
import { sampleResource } from "./testing/sample-resource.ts";

const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
  "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

function registry(): ResourceRegistry {
  const made = new ResourceRegistry();
  made.set(
    sampleResource({
      group: "builtin-t.example.com",
      versions: ["v1", "v1beta1"],
      resource: "foos",
      kind: "Foo",
      namespaced: true,
      shortNames: ["fo"],
      categories: ["all"],
      subresources: { scale: "scale", status: "object" },
      openapi: { type: "object" },
    }),
  );
  made.set(
    sampleResource({
      group: "apps",
      versions: ["v1"],
      resource: "deployments",
      kind: "Deployment",
      namespaced: true,
      shortNames: ["deploy"],
      categories: ["all"],
      subresources: { status: "object", scale: "scale" },
    }),
  );
  made.set(
    sampleResource({
      group: "",
      versions: ["v1"],
      resource: "serviceaccounts",
      kind: "ServiceAccount",
      namespaced: true,
      shortNames: ["sa"],
      subresources: { token: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" } },
    }),
  );
  made.set(
    sampleResource({
      group: "",
      versions: ["v1"],
      resource: "events",
      kind: "Event",
      namespaced: true,
      table: "events",
    }),
  );
  made.set(
    sampleResource({
      group: "events.k8s.io",
      versions: ["v1"],
      resource: "events",
      kind: "Event",
      namespaced: true,
      table: "events",
    }),
  );
  return made;
}

async function ask(
  from: ResourceRegistry,
  target: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse | undefined> {
  const request = getRequest(target, headers);
  return discoveryPaths(from)(request, request.path, anonymous);
}

async function text(target: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await ask(registry(), target, headers);
  assert.equal(answer?.status, 200);
  return (answer.body as Buffer).toString();
}

test("legacy documents read as the real server's do", async () => {
  assert.equal(
    await text("/api"),
    '{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"127.0.0.1:3000"}]}\n',
  );
  assert.equal(
    await text("/apis/builtin-t.example.com"),
    '{"kind":"APIGroup","apiVersion":"v1","name":"builtin-t.example.com","versions":[{"groupVersion":"builtin-t.example.com/v1","version":"v1"},{"groupVersion":"builtin-t.example.com/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"builtin-t.example.com/v1","version":"v1"}}\n',
  );
  assert.equal(
    await text("/apis/apps/v1"),
    '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"apps/v1","resources":[{"name":"deployments","singularName":"deployment","namespaced":true,"kind":"Deployment","verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["deploy"],"categories":["all"],"storageVersionHash":"8aSe+NMegvE="},{"name":"deployments/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]},{"name":"deployments/status","singularName":"","namespaced":true,"kind":"Deployment","verbs":["get","patch","update"]}]}\n',
  );
  assert.equal(
    await text("/apis/builtin-t.example.com/v1"),
    '{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"builtin-t.example.com/v1","resources":[{"name":"foos","singularName":"foo","namespaced":true,"kind":"Foo","verbs":["delete","deletecollection","get","list","patch","create","update","watch"],"shortNames":["fo"],"categories":["all"],"storageVersionHash":"uCrluNSFVD4="},{"name":"foos/status","singularName":"","namespaced":true,"kind":"Foo","verbs":["get","patch","update"]},{"name":"foos/scale","singularName":"","namespaced":true,"group":"autoscaling","version":"v1","kind":"Scale","verbs":["get","patch","update"]}]}\n',
  );
});

test("groups come by priority, custom ones last", async () => {
  const list = JSON.parse(await text("/apis")) as { groups: { name: string }[] };
  assert.deepEqual(
    list.groups.map((group) => group.name),
    ["apps", "events.k8s.io", "builtin-t.example.com"],
  );
});

test("both kinds of Event have the hash of the one that is stored", async () => {
  const hash = async (path: string): Promise<unknown> =>
    (JSON.parse(await text(path)) as { resources: JsonObject[] }).resources.find((r) => r["name"] === "events")?.[
      "storageVersionHash"
    ];
  assert.equal(await hash("/api/v1"), "r2yiGXH7wu8=");
  assert.equal(await hash("/apis/events.k8s.io/v1"), "r2yiGXH7wu8=");
});

test("a client that asks for the aggregated format gets it, marked as such", async () => {
  const answer = (await ask(registry(), "/apis?timeout=32s", { accept: AGGREGATED }))!;
  assert.equal(answer.headers["content-type"], "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  assert.equal(answer.headers["vary"], "Accept");
  assert.match(String(answer.headers["etag"]), /^"[0-9A-F]{128}"$/);
  const document = JSON.parse((answer.body as Buffer).toString()) as { items: JsonObject[] };
  assert.deepEqual(
    document.items.map((item) => item["metadata"]),
    [{ name: "apps" }, { name: "events.k8s.io" }, { name: "builtin-t.example.com" }],
  );
  assert.equal(
    JSON.stringify((document.items[2]!["versions"] as JsonObject[])[0]),
    '{"version":"v1","resources":[{"resource":"foos","responseKind":{"group":"builtin-t.example.com","version":"v1","kind":"Foo"},"scope":"Namespaced","singularResource":"foo","verbs":["delete","deletecollection","get","list","patch","create","update","watch"],"shortNames":["fo"],"categories":["all"],"subresources":[{"subresource":"status","responseKind":{"group":"builtin-t.example.com","version":"v1","kind":"Foo"},"verbs":["get","patch","update"]},{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"verbs":["get","patch","update"]}]}],"freshness":"Current"}',
  );
  const core = await text("/api", { accept: AGGREGATED });
  assert.match(
    core,
    /^\{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io\/v2","metadata":\{\},"items":\[\{"metadata":\{\},"versions":\[\{"version":"v1","resources":\[\{"resource":"events","responseKind":\{"group":"","version":"","kind":"Event"\}/,
  );
  assert.match(
    core,
    /"subresources":\[\{"subresource":"token","responseKind":\{"group":"authentication.k8s.io","version":"v1","kind":"TokenRequest"\},"verbs":\["create"\]\}\]/,
  );
});

test("an older client gets the older version, and one that asks for plain JSON the legacy format", async () => {
  const older = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
  assert.match(await text("/apis", { accept: older }), /"apidiscovery.k8s.io\/v2beta1"/);
  assert.match(await text("/apis", { accept: "application/json" }), /"APIGroupList"/);
  assert.match(await text("/apis", { accept: "application/json;g=x;v=v9;as=Other,*/*" }), /"APIGroupList"/);
  assert.match(await text("/apis", { accept: "application/yaml" }), /^kind: APIGroupList$/m);
  await assert.rejects(ask(registry(), "/apis", { accept: "application/xml" }), { code: 406 });
});

test("discovery is not a Table, but clients that would take one may take plain JSON", async () => {
  const asTable = "application/json;as=Table;g=meta.k8s.io;v=v1";
  assert.match(await text("/apis/apps/v1", { accept: `${asTable},application/json` }), /"APIResourceList"/);
  await assert.rejects(ask(registry(), "/apis/apps/v1", { accept: asTable }), { code: 406 });
});

test("definitions have the hash of the version in which the real server stores them", async () => {
  const resources = registry();
  const [group, resource] = ["apiextensions.k8s.io", "customresourcedefinitions"];
  const kind = "CustomResourceDefinition";
  resources.set(sampleResource({ group, versions: ["v1"], resource, kind, namespaced: false }));
  const answer = await ask(resources, `/apis/${group}/v1`);
  assert.ok(answer);
  assert.match((answer.body as Buffer).toString(), /"storageVersionHash":"jfWCUB31mvA="/);
});

test("a client that has seen a document is told so until a resource changes", async () => {
  const resources = registry();
  const paths = discoveryPaths(resources);
  const get = async (etag?: string): Promise<ApiResponse> =>
    (await paths(
      getRequest("/apis", { accept: AGGREGATED, ...(etag !== undefined && { "if-none-match": etag }) }),
      "/apis",
      anonymous,
    ))!;
  const etag = String((await get()).headers["etag"]);
  const again = await get(etag);
  assert.equal(again.status, 304);
  assert.equal((again.body as Buffer).length, 0);
  resources.remove({ group: "apps", resource: "deployments" });
  assert.equal((await get(etag)).status, 200);
});

test("what is not served is left to others", async () => {
  for (const path of ["/apis/nope", "/apis/apps/v2", "/api/v2", "/healthz", "/apis/apps/v1/deployments"]) {
    assert.equal(await ask(registry(), path), undefined, path);
  }
});

test("the version names the release whose behaviour it gives", async () => {
  const version = JSON.parse(await text("/version?timeout=32s")) as JsonObject;
  assert.deepEqual([version["major"], version["minor"]], ["1", "36"]);
  assert.match(String(version["gitVersion"]), /^v1\.36\.4\+/);
});
