import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiObject, ObjectMeta } from "@gatewright/kube";
import { allOf, annotationsChanged, anyOf, generationChanged, labelsChanged, not } from "./predicates.ts";

const object = (metadata: ObjectMeta): ApiObject => ({ apiVersion: "v1", kind: "X", metadata });

test("appearing and going always matters", () => {
  for (const predicate of [generationChanged, labelsChanged, annotationsChanged]) {
    assert.ok(predicate(object({ generation: 1 }), undefined));
    assert.ok(predicate(undefined, object({ generation: 1 })));
  }
});

test("a new generation, the beginning of a deletion, and kinds without generations matter; a status does not", () => {
  assert.ok(generationChanged(object({ generation: 2 }), object({ generation: 1 })));
  assert.ok(generationChanged(object({ generation: 1, deletionTimestamp: "now" }), object({ generation: 1 })));
  assert.ok(generationChanged(object({}), object({})));
  assert.ok(!generationChanged(object({ generation: 1, resourceVersion: "2" }), object({ generation: 1 })));
});

test("labels and annotations are compared by what they say, not by their order", () => {
  const [ab, ba] = [object({ labels: { a: "1", b: "2" } }), object({ labels: { b: "2", a: "1" } })];
  assert.ok(!labelsChanged(ab, ba));
  assert.ok(labelsChanged(ab, object({})));
  assert.ok(!annotationsChanged(ab, object({})));
  assert.ok(annotationsChanged(object({ annotations: { a: "1" } }), object({ annotations: { a: "2" } })));
  assert.ok(!annotationsChanged(object({ annotations: {} }), object({})));
});

test("predicates combine", () => {
  const [yes, no] = [() => true, () => false];
  const say = (predicate: typeof generationChanged): boolean => predicate(object({}), object({}));
  assert.deepEqual(
    [say(allOf(yes, no)), say(anyOf(yes, no)), say(not(no)), say(allOf(yes, yes))],
    [false, true, true, true],
  );
});
