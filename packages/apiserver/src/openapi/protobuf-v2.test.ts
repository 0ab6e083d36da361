import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { WireReader } from "@gatewright/kube/protobuf";
import { protobufV2 } from "./protobuf-v2.ts";

type Value = number | Uint8Array;

/** The values at a path of field numbers; a field may be there many times. */
function at(bytes: Uint8Array, ...path: readonly number[]): Value[] {
  const [wanted, ...rest] = path;
  if (wanted === undefined) return [bytes];
  const found: Value[] = [];
  for (const reader = new WireReader(bytes); !reader.done;) {
    const { number, wire } = reader.tag("test");
    const value = wire === 0 ? reader.int64() : wire === 1 ? reader.double() : reader.bytes();
    if (number !== wanted) continue;
    found.push(...(typeof value === "number" || rest.length === 0 ? [value] : at(value, ...rest)));
  }
  return found;
}

function texts(bytes: Uint8Array, ...path: readonly number[]): string[] {
  return at(bytes, ...path).map((value) => {
    assert.ok(typeof value !== "number");
    return Buffer.from(value).toString();
  });
}

const DEFINITION = [9, 1];
const SCHEMA = [...DEFINITION, 2];

const schemaOf = (schema: JsonObject): Uint8Array => {
  const [bytes] = at(protobufV2({ definitions: { only: schema } }), ...SCHEMA);
  assert.ok(bytes instanceof Uint8Array);
  return bytes;
};

test("definitions have their names, types, properties and references", () => {
  const document = protobufV2({
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1.36.4" },
    paths: {},
    definitions: {
      "example.Foo": {
        type: "object",
        required: ["spec", "x-own"],
        properties: { spec: {}, "x-own": { $ref: "#/a" } },
      },
      "x-example.Bar": { description: "größer", type: "string" },
    },
  });
  assert.deepEqual(texts(document, 1), ["2.0"]);
  assert.deepEqual([...texts(document, 2, 1), ...texts(document, 2, 2)], ["Kubernetes", "v1.36.4"]);
  assert.deepEqual(texts(document, 8), [""]);
  assert.deepEqual(texts(document, ...DEFINITION, 1), ["example.Foo", "x-example.Bar"]);
  assert.deepEqual(texts(document, ...SCHEMA, 22, 1), ["object", "string"]);
  assert.deepEqual(texts(document, ...SCHEMA, 19), ["spec", "x-own"]);
  assert.deepEqual(texts(document, ...SCHEMA, 25, 1, 1), ["spec", "x-own"]);
  assert.deepEqual(texts(document, ...SCHEMA, 25, 1, 2, 1), ["#/a"]);
  assert.deepEqual(texts(document, ...SCHEMA, 4), ["größer"]);
});

test("extensions are YAML by name, and so are the values of an enum", () => {
  const gvk = [{ group: "apps", kind: "Deployment", version: "v1" }];
  const schema = schemaOf({ "x-kubernetes-group-version-kind": gvk, enum: ["a", null, 1] });
  assert.deepEqual(texts(schema, 31, 1), ["x-kubernetes-group-version-kind"]);
  assert.deepEqual(texts(schema, 31, 2, 2), [JSON.stringify(gvk)]);
  assert.deepEqual(texts(schema, 20, 2), ['"a"', "null", "1"]);
});

test("items and additional properties are there even where they say nothing, and may be a truth", () => {
  assert.deepEqual(texts(schemaOf({ items: {} }), 23, 1), [""]);
  assert.deepEqual(texts(schemaOf({ additionalProperties: {} }), 21, 1), [""]);
  assert.deepEqual(at(schemaOf({ additionalProperties: true }), 21, 2), [1]);
  assert.deepEqual(texts(schemaOf({ items: { additionalProperties: { type: "string" } } }), 23, 1, 21, 1, 22, 1), [
    "string",
  ]);
});

test("limits are numbers of their kind; what has no field or is of another type is left out", () => {
  const schema = schemaOf({ maximum: 1.5, maxLength: 300, minItems: -1, uniqueItems: true, title: 5, nowhere: "x" });
  assert.deepEqual(at(schema, 7), [1.5]);
  assert.deepEqual(at(schema, 11), [300]);
  assert.deepEqual(at(schema, 15), [-1]);
  assert.deepEqual(at(schema, 16), [1]);
  assert.deepEqual(at(schema, 3), []);
  assert.equal(schema.length, 9 + 3 + 11 + 3);
});

test("operations have their parameters by where they are, their answers and what they take", () => {
  const gvk = { group: "apps", kind: "Deployment", version: "v1" };
  const document = protobufV2({
    paths: {
      "/apis/apps/v1/deployments/{name}": {
        parameters: [{ name: "name", in: "path", required: true, type: "string", uniqueItems: true }],
        patch: {
          consumes: ["application/merge-patch+json"],
          operationId: "patchDeployment",
          parameters: [
            { name: "dryRun", in: "query", type: "string" },
            { name: "body", in: "body", required: true, schema: { $ref: "#/definitions/Patch" } },
          ],
          responses: { "200": { description: "OK", schema: { $ref: "#/definitions/Deployment" } } },
          "x-kubernetes-group-version-kind": gvk,
        },
      },
    },
  });
  assert.deepEqual(texts(document, 8, 2, 1), ["/apis/apps/v1/deployments/{name}"]);
  const item = [8, 2, 2];
  assert.deepEqual(texts(document, ...item, 9, 1, 2, 4, 4), ["name"]);
  assert.deepEqual(texts(document, ...item, 9, 1, 2, 4, 5), ["string"]);
  const patch = [...item, 8];
  assert.deepEqual(texts(document, ...patch, 7), ["application/merge-patch+json"]);
  assert.deepEqual(texts(document, ...patch, 5), ["patchDeployment"]);
  assert.deepEqual(texts(document, ...patch, 8, 1, 2, 3, 4), ["dryRun"]);
  assert.deepEqual(texts(document, ...patch, 8, 1, 1, 5, 1), ["#/definitions/Patch"]);
  assert.deepEqual(texts(document, ...patch, 9, 1, 1), ["200"]);
  assert.deepEqual(texts(document, ...patch, 9, 1, 2, 1, 2, 1, 1), ["#/definitions/Deployment"]);
  assert.deepEqual(texts(document, ...patch, 13, 2, 2), [JSON.stringify(gvk)]);
});
