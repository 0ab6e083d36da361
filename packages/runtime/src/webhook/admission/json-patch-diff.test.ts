import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json, JsonObject } from "@gatewright/kube";
import { applyJsonPatch } from "@gatewright/kube/patch";
import { jsonPatchDiff } from "./json-patch-diff.ts";

const key = fc.constantFrom("a", "b", "a/b", "~", "__proto__", "constructor", "");
const { object } = fc.letrec<{ value: Json; object: JsonObject; list: Json[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom<Json>(null, true, 0, 1, "x", "y"), tie("object"), tie("list")),
  object: fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  list: fc.array(tie("value"), { maxLength: 5 }),
}));

test("the patch leads from one object to the other, and there is none between equal ones", () => {
  fc.assert(
    fc.property(object, object, (before, after) => {
      const patch = jsonPatchDiff(before, after);
      assert.deepEqual(applyJsonPatch(before, patch as readonly Json[]), after);
      assert.deepEqual(jsonPatchDiff(after, after), []);
    }),
    { numRuns: 2000 },
  );
});

test("only what differs is told", () => {
  const long = { image: "registry.example.com/some/image:v1", ports: [{ containerPort: 80, name: "http" }] };
  const before = { metadata: { name: "a", labels: { x: "1" } }, spec: { a: [1, 2, 3], c: [{ name: "a", ...long }] } };
  for (const [after, patch] of [
    [
      { ...before, metadata: { name: "a", labels: { x: "1", "y/z": "2" } } },
      [{ op: "add", path: "/metadata/labels/y~1z", value: "2" }],
    ],
    [{ ...before, spec: { ...before.spec, a: [0, 1, 2, 3] } }, [{ op: "add", path: "/spec/a/0", value: 0 }]],
    [{ ...before, spec: { ...before.spec, a: [1, 3] } }, [{ op: "remove", path: "/spec/a/1" }]],
    [
      { ...before, spec: { ...before.spec, c: [{ ...long, name: "b" }] } },
      [{ op: "replace", path: "/spec/c/0/name", value: "b" }],
    ],
    [{ ...before, spec: { ...before.spec, a: [9, 8, 7] } }, [{ op: "replace", path: "/spec/a", value: [9, 8, 7] }]],
  ] as const) {
    assert.deepEqual(jsonPatchDiff(before, after as unknown as JsonObject), patch);
  }
});
