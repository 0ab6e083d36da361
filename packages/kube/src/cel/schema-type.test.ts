import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { parseAllDocuments } from "yaml";
import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { compile } from "./compile.ts";
import { celTypeFromSchema } from "./schema-type.ts";
import { formatType, optionalType } from "./types.ts";

const text: JsonObject = { type: "string" };
const spec: JsonObject = {
  type: "object",
  properties: {
    s: text,
    short: { type: "string", maxLength: 10 },
    names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 63 } },
    unbounded: { type: "array", items: text },
    m: { type: "object", additionalProperties: { type: "integer" } },
    objs: { type: "array", items: { type: "object", required: ["name"], properties: { name: text } } },
    unknown: { "x-kubernetes-preserve-unknown-fields": true },
    anyMap: { type: "object", additionalProperties: { "x-kubernetes-preserve-unknown-fields": true } },
  },
};

describe("estimated costs are those of kube-apiserver", () => {
  const self = celTypeFromSchema({ type: "object", properties: { spec } }, { root: true })!;
  const costs: readonly (readonly [rule: string, cost: number])[] = [
    ["self.metadata.name.startsWith('a')", 4],
    ["self.spec.names.all(n, n.matches('^[a-z]+$'))", 564],
    ["self.spec.m.all(k, self.spec.m[k] > 3)", 4_044_505],
    ["self.spec.objs.exists_one(o, o.name == self.spec.s)", 76_121_439_245],
    ["self.spec.s.contains(self.spec.short)", 1_258_298],
  ];
  for (const [rule, cost] of costs) {
    test(`${rule} may cost ${cost}`, () => {
      const result = compile(rule, { variables: new Map([["self", self]]) });
      assert.ok(result.ok);
      assert.equal(result.program.estimateCost().max, cost);
    });
  }

  test("data that no schema describes cannot be seen", () => {
    for (const rule of ["self.spec.unknown == 1", "self.spec.anyMap.size() > 0"]) {
      const result = compile(rule, { variables: new Map([["self", self]]) });
      assert.ok(!result.ok);
      assert.match(result.message, /undefined field/);
    }
  });
});

const shared = new URL("../../../../../shared/data/", import.meta.url);
const folders = ["gateway-api-1.6.1", "cert-manager", "aws-load-balancer-controller"];
const skip = existsSync(shared) ? false : "the shared CRDs are not at hand";

/** Visits every schema with rules; the root of a resource is told from the rest. */
function visitRules(schema: JsonObject, root: boolean, visit: (schema: JsonObject, root: boolean) => void): void {
  if (Array.isArray(schema["x-kubernetes-validations"])) visit(schema, root);
  const children: (Json | undefined)[] = [schema["items"], schema["additionalProperties"]];
  if (isObject(schema["properties"])) children.push(...Object.values(schema["properties"]));
  for (const child of children)
    if (isObject(child)) visitRules(child, child["x-kubernetes-embedded-resource"] === true, visit);
}

test("every rule of the CRDs that we serve compiles to a bool and stays within its budget", { skip }, () => {
  let rules = 0;
  for (const folder of folders) {
    for (const file of readdirSync(new URL(folder, shared))) {
      for (const document of parseAllDocuments(readFileSync(new URL(`${folder}/${file}`, shared), "utf8"))) {
        const crd = document.toJS() as {
          kind?: string;
          spec: { versions: { schema: { openAPIV3Schema: JsonObject } }[] };
        } | null;
        if (crd?.kind !== "CustomResourceDefinition") continue;
        for (const version of crd.spec.versions) {
          visitRules(version.schema.openAPIV3Schema, true, (schema, root) => {
            const self = celTypeFromSchema(schema, { root })!;
            for (const { rule, optionalOldSelf } of schema["x-kubernetes-validations"] as unknown as {
              rule: string;
              optionalOldSelf?: boolean;
            }[]) {
              const oldSelf = optionalOldSelf === true ? optionalType(self) : self;
              const result = compile(rule, {
                variables: new Map([
                  ["self", self],
                  ["oldSelf", oldSelf],
                ]),
              });
              assert.ok(result.ok, `${file}: ${rule}: ${result.ok ? "" : result.message}`);
              assert.equal(formatType(result.program.resultType), "bool");
              assert.ok(result.program.estimateCost().max <= 10_000_000, rule);
              rules++;
            }
          });
        }
      }
    }
  }
  assert.ok(rules > 100);
});
