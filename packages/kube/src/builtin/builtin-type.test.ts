import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListType, ObjectType } from "../type-node.ts";
import { builtinType } from "./builtin-type.ts";
import { table, tableDefinition } from "./table.ts";

function at(type: ObjectType, ...path: readonly string[]): ReturnType<ObjectType["field"]> {
  let here: ObjectType = type;
  for (const step of path.slice(0, -1)) {
    const found = here.field(step)?.type;
    const inner = found?.kind === "list" ? found.element : found;
    assert.ok(inner?.kind === "object", step);
    here = inner;
  }
  return here.field(path.at(-1)!);
}

test("a Deployment's containers merge by name and their ports by port and protocol, which defaults to TCP", () => {
  const deployment = builtinType("apps", "v1", "Deployment")!;
  const containers = at(deployment, "spec", "template", "spec", "containers")!;
  assert.equal((containers.type as ListType).mode, "map");
  assert.deepEqual((containers.type as ListType).keys, ["name"]);
  assert.deepEqual(containers.patchStrategy, ["merge"]);
  const ports = at(deployment, "spec", "template", "spec", "containers", "ports")!;
  assert.deepEqual((ports.type as ListType).keys, ["containerPort", "protocol"]);
  assert.equal(ports.patchMergeKey, "containerPort");
  assert.equal(at(deployment, "spec", "template", "spec", "containers", "ports", "protocol")!.default, "TCP");
});

test("scalars carry what a reader must check", () => {
  const pod = builtinType("", "v1", "Pod")!;
  assert.deepEqual(at(pod, "spec", "priority")!.type, { kind: "scalar", scalar: "integer", format: "int32" });
  assert.deepEqual(at(pod, "metadata", "creationTimestamp")!.type, {
    kind: "scalar",
    scalar: "string",
    format: "date-time",
  });
  const overhead = at(pod, "spec", "overhead")!.type as ObjectType;
  assert.deepEqual(overhead.elements, { kind: "scalar", scalar: "quantity" });
  assert.equal(at(pod, "metadata", "managedFields", "fieldsV1")!.type.kind, "any");
});

test("names of the prototype are not fields", () => {
  const map = builtinType("", "v1", "ConfigMap")!;
  for (const name of ["__proto__", "constructor", "toString"]) assert.equal(map.field(name), undefined);
  assert.equal(builtinType("", "v1", "constructor"), undefined);
});

test("every type that a definition refers to is in the table", () => {
  const wrong: string[] = [];
  for (const [name, definition] of Object.entries(table.definitions)) {
    for (const [field, { t }] of Object.entries(definition.fields)) {
      const element = t.replace(/^(?:\[\]|\{\}|~)+/, "");
      if (element.includes(".") && !tableDefinition(element)) wrong.push(`${name}.${field}: ${t}`);
    }
  }
  assert.deepEqual(wrong, []);
});
