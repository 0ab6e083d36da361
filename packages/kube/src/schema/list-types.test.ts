import assert from "node:assert/strict";
import { test } from "node:test";
import { formatFieldError } from "../field-error.ts";
import { validateListTypes } from "./list-types.ts";
import { parseSchema } from "./schema-node.ts";
import { widgetSchema } from "./testing/widget-schema.ts";

const schema = parseSchema(widgetSchema);

test("each repeated item of a set and each repeated key of a map list is told once", () => {
  const spec = {
    tags: ["a", "a", "b", "a"],
    ports: [
      { name: "a", proto: "TCP" },
      { name: "a", proto: "UDP" },
      { name: "a", proto: "TCP", port: 1 },
    ],
  };
  assert.deepEqual(validateListTypes({ spec }, schema).map(formatFieldError), [
    'spec.tags[1]: Duplicate value: "a"',
    'spec.ports[2]: Duplicate value: {"name":"a","proto":"TCP"}',
  ]);
});

test("what is not an object cannot stand in a map list", () => {
  assert.deepEqual(validateListTypes({ spec: { ports: [{ name: "a" }, 5] } }, schema).map(formatFieldError), [
    "spec.ports[1]: Invalid value: 5: must be an object for an array of list-type map",
  ]);
});
