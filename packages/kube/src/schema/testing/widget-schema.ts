import type { JsonObject } from "../../json/json.ts";

/** A schema with one field for each keyword. What the tests say of it was recorded from kube-apiserver 1.36. */
export const widgetSchema: JsonObject = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      "x-kubernetes-validations": [
        { rule: "self.size != 7", message: "no seven" },
        {
          rule: "!has(self.color) || self.size >= oldSelf.size",
          message: "may not shrink",
          fieldPath: ".size",
          reason: "FieldValueForbidden",
        },
      ],
      properties: {
        size: { type: "integer", minimum: 0, maximum: 10 },
        i32: { type: "integer", format: "int32" },
        num: { type: "number", maximum: 2.5, multipleOf: 0.5 },
        emax: { type: "number", exclusiveMaximum: true, maximum: 1000000 },
        color: { type: "string", enum: ["red", "blue"], default: "red" },
        name: { type: "string", minLength: 2, maxLength: 5, pattern: "^[a-z]+$" },
        when: { type: "string", format: "date-time" },
        ip: { type: "string", format: "ipv4" },
        tags: {
          type: "array",
          "x-kubernetes-list-type": "set",
          maxItems: 3,
          minItems: 1,
          items: { type: "string" },
        },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name", "proto"],
          items: {
            type: "object",
            required: ["name"],
            properties: {
              name: { type: "string" },
              proto: { type: "string", default: "TCP" },
              port: { "x-kubernetes-int-or-string": true },
            },
          },
        },
        labels: { type: "object", maxProperties: 2, minProperties: 1, additionalProperties: { type: "string" } },
        tpl: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        nul: { type: "string", nullable: true },
        one: {
          type: "object",
          properties: { a: { type: "string" }, b: { type: "string" } },
          oneOf: [{ required: ["a"] }, { required: ["b"] }],
        },
        anyo: { type: "string", anyOf: [{ pattern: "^a" }, { minLength: 5 }] },
        allo: { type: "string", allOf: [{ pattern: "^a" }, { minLength: 5 }] },
        noto: { type: "string", not: { pattern: "^a" } },
        enumi: { type: "integer", enum: [1, 2] },
      },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, phase: { type: "string", enum: ["A", "B"] } },
    },
  },
};
