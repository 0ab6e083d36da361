import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { seededRandom } from "@gatewright/ports";
import type { WebhookCaller } from "../admission/webhooks/webhook-client.ts";
import type { Resource } from "../resources/resource.ts";
import { customResource } from "./custom-resource.ts";
import { widgetCrd } from "./testing/crd-cluster.ts";

const NOW = Date.UTC(2026, 0, 2);
const schema = (field: string, fallback: string): JsonObject => ({
  openAPIV3Schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { shared: { type: "string" }, [field]: { type: "string", default: fallback } },
      },
    },
  },
});
const versions: JsonObject[] = [
  { name: "v1beta1", served: true, storage: false, deprecated: true, schema: schema("beta", "B") },
  { name: "v1", served: true, storage: true, schema: schema("ga", "G") },
  { name: "v0", served: false, storage: false, schema: schema("zero", "Z") },
];

function resourceOf(
  crd: KubeObject,
  callWebhook: WebhookCaller = () => Promise.reject(new Error("no webhook")),
): Resource {
  return customResource(crd, { random: seededRandom(), callWebhook, storedAsDefined: true, terminating: () => false });
}

const widget = (version: string, spec: JsonObject): KubeObject => ({
  apiVersion: `example.com/${version}`,
  kind: "Widget",
  metadata: { name: "a" },
  spec,
});

test("served versions come in order of preference, deprecated ones with a warning", () => {
  const resource = resourceOf(widgetCrd(undefined, { versions }));
  assert.deepEqual(
    resource.versions.map((v) => v.version),
    ["v1", "v1beta1"],
  );
  assert.equal(
    resource.versions[1]?.deprecationWarning,
    "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget",
  );
});

test("a status that the schema gives by default is there from the start, and what the creator wrote is not", async () => {
  const status: JsonObject = { type: "object", default: {}, properties: { phase: { type: "string", default: "New" } } };
  const openAPIV3Schema: JsonObject = {
    type: "object",
    properties: { status },
    "x-kubernetes-validations": [{ rule: "!has(self.status)", message: "creators write no status" }],
  };
  const version: JsonObject = { name: "v1", served: true, storage: true, subresources: { status: {} } };
  const { strategy } = resourceOf(widgetCrd(undefined, { versions: [{ ...version, schema: { openAPIV3Schema } }] }));
  const made: KubeObject = { ...widget("v1", {}), status: { phase: "Done" } };
  const context = { version: "v1", warn: () => {} } as unknown as Parameters<typeof strategy.prepareForCreate>[1];
  await strategy.prepareForCreate(made, context);
  assert.deepEqual(made["status"], { phase: "New" });
  assert.deepEqual(strategy.validateCreate(made, context), []);
});

test("without a converter only the name of the version changes; the stored form has its version's defaults", async () => {
  const resource = resourceOf(widgetCrd(undefined, { versions }));
  const [stored] = await resource.convert([widget("v1beta1", { shared: "s", beta: "x" })], "v1");
  assert.deepEqual(stored, widget("v1", { shared: "s", ga: "G" }));
  const [read] = await resource.convert([stored], "v1beta1");
  assert.deepEqual(read, widget("v1beta1", { shared: "s" }));
});

const conversion = {
  strategy: "Webhook",
  webhook: { clientConfig: { url: "https://x/y" }, conversionReviewVersions: ["v1"] },
};
const answering =
  (change: (review: JsonObject, objects: KubeObject[]) => JsonObject): WebhookCaller =>
  async (_config, body) => {
    const request = (body as JsonObject)["request"] as JsonObject;
    const objects = structuredClone(request["objects"]) as KubeObject[];
    for (const object of objects) object.apiVersion = request["desiredAPIVersion"] as string;
    const response: JsonObject = { uid: request["uid"]!, convertedObjects: objects, result: { status: "Success" } };
    const answer: JsonObject = { kind: "ConversionReview", apiVersion: "apiextensions.k8s.io/v1", response };
    return { ...answer, response: { ...response, ...change(request, objects) } };
  };

test("a webhook converts all objects that need it in one call", async () => {
  const asked: Json[] = [];
  const resource = resourceOf(
    widgetCrd(undefined, { versions, conversion }),
    answering((request, objects) => {
      asked.push(objects.length);
      for (const object of objects) object.metadata.labels = { converted: "yes" };
      for (const object of objects) object.metadata.generation = 99;
      return { convertedObjects: objects, uid: request["uid"]! };
    }),
  );
  const objects = [widget("v1", {}), widget("v1beta1", {}), widget("v1", {})];
  const converted = await resource.convert(objects, "v1beta1");
  assert.deepEqual(asked, [2]);
  assert.deepEqual(
    converted.map((object) => object.apiVersion),
    Array(3).fill("example.com/v1beta1"),
  );
  assert.deepEqual(converted[0]?.metadata, { name: "a", labels: { converted: "yes" } });
  assert.equal(converted[1], objects[1]);
});

const REFUSED: readonly (readonly [why: string, change: (objects: KubeObject[]) => JsonObject])[] = [
  ["failed: no way", () => ({ result: { status: "Failed", message: "no way" } })],
  ["failed: response.result.status was 'Failed', not 'Success'", () => ({ result: { status: "Failed" } })],
  ["returned 0 objects, expected 1", () => ({ convertedObjects: [] })],
  [
    "returned invalid object: must have the same name: a != zzz",
    ([object]) => ({ convertedObjects: [{ ...object!, metadata: { name: "zzz" } }] }),
  ],
  [
    "returned invalid object at index 0: invalid kind (expected Widget, received Foo)",
    ([object]) => ({ convertedObjects: [{ ...object!, kind: "Foo" }] }),
  ],
  [
    "returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object",
    ([object]) => ({ convertedObjects: [{ ...object!, metadata: { name: "a", labels: { a: 5 } } }] }),
  ],
];
for (const [why, change] of REFUSED) {
  test(`a conversion is refused when it ${why}`, async () => {
    const crd = widgetCrd(undefined, { versions, conversion });
    const resource = resourceOf(
      crd,
      answering((_request, objects) => change(objects)),
    );
    await assert.rejects(async () => resource.convert([widget("v1", {})], "v1beta1"), {
      code: 500,
      message: `conversion webhook for example.com/v1, Kind=Widget ${why}`,
    });
  });
}

test("columns show the first value of their path, by their type", () => {
  const additionalPrinterColumns = [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "When", type: "date", jsonPath: ".spec.when" },
    { name: "Obj", type: "string", jsonPath: ".spec.obj" },
    { name: "Flag", type: "boolean", jsonPath: ".spec.size" },
  ];
  const version = { name: "v1", served: true, storage: true, schema: schema("ga", "G"), additionalPrinterColumns };
  const { columns } = resourceOf(widgetCrd(undefined, { versions: [version] })).versions[0]!;
  assert.deepEqual(
    columns.definitions.map((c) => c.name),
    ["Name", "Size", "When", "Obj", "Flag"],
  );
  const object = widget("v1", { size: 3.7, when: "2026-01-01T00:00:00Z", obj: { a: 1 } });
  assert.deepEqual(columns.cells(object, NOW), ["a", 3, "24h", '{"a":1}', null]);
  assert.deepEqual(columns.cells(widget("v1", {}), NOW), ["a", null, null, null, null]);
});

test("selectable fields are labels without the leading dot; what is missing is empty", () => {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: schema("ga", "G"),
    selectableFields: [{ jsonPath: ".spec.ga" }],
  };
  const label = resourceOf(widgetCrd(undefined, { versions: [version] })).versions[0]?.fieldLabels?.["spec.ga"];
  assert.equal(label?.(widget("v1", { ga: "x" })), "x");
  assert.equal(label?.(widget("v1", {})), "");
});

test("the published schema writes out what every object has", () => {
  const { openapi } = resourceOf(widgetCrd()).versions[0]!;
  assert.deepEqual(Object.keys(openapi?.["properties"] as JsonObject), ["apiVersion", "kind", "metadata"]);
  assert.deepEqual(openapi?.["x-kubernetes-group-version-kind"], [
    { group: "example.com", kind: "Widget", version: "v1" },
  ]);
});
