import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { appliedSpec } from "./applied-spec.ts";

const object = (spec: JsonObject, last?: string): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Thing",
  metadata: {
    name: "a",
    ...(last !== undefined && { annotations: { "kubectl.kubernetes.io/last-applied-configuration": last } }),
  },
  spec,
});
const last = (spec: JsonObject): string => JSON.stringify(object(spec));

test("what the file had and has no more goes, and what others wrote stays", () => {
  const stored = object(
    { size: 1, tags: { a: "1", b: "2", theirs: "x" }, theirs: true },
    last({ size: 1, tags: { a: "1", b: "2" } }),
  );
  assert.deepEqual(appliedSpec(stored, object({ tags: { a: "3" } })), { size: null, tags: { a: "3", b: null } });
  assert.deepEqual(appliedSpec(stored, object({ size: [1], tags: "none" })), { size: [1], tags: "none" });
});

test("of an object that kubectl did not apply, or nobody knows how, all goes that the file lacks", () => {
  for (const said of [undefined, "nonsense", "[]"]) {
    assert.deepEqual(appliedSpec(object({ size: 1, theirs: true }, said), object({ size: 2 })), {
      size: 2,
      theirs: null,
    });
  }
});

test("names of properties that every object has are names like others", () => {
  const wanted = JSON.parse('{"__proto__": {"a": 1}, "constructor": "b"}') as JsonObject;
  const patch = appliedSpec(object({ toString: "c" }, last({ toString: "c" })), object(wanted)) as JsonObject;
  assert.deepEqual(Object.keys(patch), ["toString", "__proto__", "constructor"]);
});
