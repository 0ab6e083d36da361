import assert from "node:assert/strict";
import { test } from "node:test";
import { getPath } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import { attributesFor } from "../testing/attributes.ts";
import { patchOf, reviewOf, startWebhookServer } from "../testing/webhook-server.ts";
import { configMap, configMaps, nodes, refusedWith, webhook, webhookWorld, widgets } from "../testing/webhook-world.ts";

/** Whether a webhook with these fields would be called: it cannot be reached, so being called means to fail. */
async function isCalled(
  more: JsonObject,
  attributes = attributesFor(configMaps, "CREATE", configMap()),
): Promise<boolean> {
  const { admission, configure } = await webhookWorld();
  await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }, more));
  const error = await admission.validate(attributes).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined) assert.match(String(error), /connection refused/);
  return error !== undefined;
}

const rule = (more: JsonObject): JsonObject => ({
  rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], scope: "*", ...more }],
});
const node = (): ReturnType<typeof attributesFor> =>
  attributesFor(nodes, "CREATE", { apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
const widget = (version: string): ReturnType<typeof attributesFor> =>
  attributesFor(widgets, "CREATE", {
    apiVersion: `example.com/${version}`,
    kind: "Widget",
    metadata: { name: "w", namespace: "ns" },
  });

test("rules are matched by operation, group, version, resource, subresource and scope", async () => {
  assert.equal(await isCalled(rule({})), true);
  assert.equal(await isCalled(rule({ operations: ["UPDATE", "DELETE"] })), false);
  assert.equal(await isCalled(rule({ apiGroups: ["apps"] })), false);
  assert.equal(await isCalled(rule({ resources: ["configmaps"] })), true);
  assert.equal(await isCalled(rule({ resources: ["configmaps/status"] })), false);
  assert.equal(await isCalled(rule({ scope: "Cluster" })), false);
  assert.equal(await isCalled(rule({ scope: "Namespaced" })), true);
  assert.equal(await isCalled(rule({ scope: "Namespaced" }), node()), false);
  assert.equal(await isCalled(rule({ scope: "Cluster" }), node()), true);
  const status = attributesFor(configMaps, "UPDATE", configMap(), { subresource: "status" });
  assert.equal(await isCalled(rule({ resources: ["*"] }), status), false);
  assert.equal(await isCalled(rule({ resources: ["*/status"] }), status), true);
  assert.equal(await isCalled(rule({ resources: ["configmaps/*"] }), status), true);
});

test("a rule for another version of the resource matches if equivalents do", async () => {
  const beta = rule({ apiGroups: ["example.com"], apiVersions: ["v1beta1"], resources: ["widgets"] });
  assert.equal(await isCalled(beta, widget("v1")), true);
  assert.equal(await isCalled({ ...beta, matchPolicy: "Exact" }, widget("v1")), false);
});

test("a webhook gets the object in the version of its rule, and its patch is brought back", async () => {
  const { admission, configure } = await webhookWorld();
  const seen: JsonObject[] = [];
  await using server = await startWebhookServer((review) => {
    seen.push(review.request as JsonObject);
    return reviewOf(review, patchOf([{ op: "add", path: "/spec", value: 1 }]));
  });
  const beta = rule({ apiGroups: ["example.com"], apiVersions: ["v1beta1"], resources: ["widgets"] });
  await configure("Mutating", "conf", webhook(server.clientConfig(), beta));
  const attributes = widget("v1");
  await admission.mutate(attributes);
  assert.equal(getPath(seen[0], "object", "apiVersion"), "example.com/v1beta1");
  assert.deepEqual(seen[0]?.kind, { group: "example.com", version: "v1beta1", kind: "Widget" });
  assert.deepEqual(seen[0]?.requestKind, { group: "example.com", version: "v1", kind: "Widget" });
  assert.equal(attributes.object?.apiVersion, "example.com/v1");
  assert.equal(attributes.object?.spec, 1);
});

test("selectors look at the namespace's labels and at the object's, new or old", async () => {
  const team = (value: string): JsonObject => ({ matchLabels: { team: value } });
  assert.equal(await isCalled({ namespaceSelector: team("a") }), true);
  assert.equal(await isCalled({ namespaceSelector: team("b") }), false);
  assert.equal(
    await isCalled({ namespaceSelector: team("b") }, node()),
    true,
    "cluster-scoped objects are not exempted",
  );
  assert.equal(await isCalled({ objectSelector: team("a") }), false);
  const labelled = configMap(undefined, { team: "a" });
  assert.equal(await isCalled({ objectSelector: team("a") }, attributesFor(configMaps, "CREATE", labelled)), true);
  const relabelled = attributesFor(configMaps, "UPDATE", configMap(), { oldObject: labelled });
  assert.equal(await isCalled({ objectSelector: team("a") }, relabelled), true);
});

test("match conditions decide after the rules, and their failures follow the failure policy", async () => {
  const when = (...expressions: string[]): JsonObject => ({
    matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
  });
  assert.equal(await isCalled(when("object.metadata.name == 'c'")), true);
  assert.equal(await isCalled(when("object.metadata.name == 'x'")), false);
  assert.equal(await isCalled(when("request.userInfo.username == 'alice' && request.operation == 'CREATE'")), true);
  assert.equal(
    await isCalled(when("authorizer.group('').resource('pods').namespace('ns').check('get').allowed()")),
    true,
  );
  assert.equal(await isCalled(when("!authorizer.requestResource.check('breakglass').allowed()")), false);
  assert.equal(await isCalled(when("object.data.x == 'y'", "false")), false, "a false one decides before an error");
  assert.equal(await isCalled({ ...when("object.data.x == 'y'"), failurePolicy: "Ignore" }), false);
  const { admission, configure } = await webhookWorld();
  await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }, when("object.data.x == 'y'")));
  const error = await refusedWith(admission.validate(attributesFor(configMaps, "CREATE", configMap())));
  assert.equal(error.code, 403);
  assert.equal(
    error.message,
    `configmaps "c" is forbidden: expression 'object.data.x == 'y'' resulted in error: no such key: data`,
  );
});
