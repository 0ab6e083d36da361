import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MAX_DEPTH } from "../json/json-syntax.ts";
import { parseJson } from "../json/strict-parse.ts";
import type { Json } from "../json/json.ts";
import type { KubeObject } from "../object.ts";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "../patch/index.ts";
import { applyServerSide } from "./apply.ts";
import { widget } from "./testing/test-types.ts";
import { trackUpdate } from "./track-update.ts";

function deep(leaf: string): Json {
  const levels = MAX_DEPTH - 4;
  return parseJson(new TextEncoder().encode(`${'{"a":'.repeat(levels)}"${leaf}"${"}".repeat(levels)}`)).value;
}

const object = (leaf: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Widget",
  metadata: { name: "w" },
  spec: { free: deep(leaf) },
});
const common = {
  apiVersion: "v1",
  subresource: "",
  now: "2026-01-01T00:00:00Z",
  typeOf: () => widget,
  resetFields: [],
};

describe("the deepest values that a body may have", () => {
  it("survive apply, tracking and all patches", () => {
    const apply = (live: KubeObject | undefined, leaf: string, manager: string): KubeObject =>
      applyServerSide({ ...common, live, patch: object(leaf), kind: "Widget", manager, force: true }).object;
    const live = apply(apply(apply(undefined, "x", "a"), "y", "b"), "z", "a");
    const updated = structuredClone(object("u"));
    trackUpdate({ ...common, live, updated, manager: "u" });
    assert.equal(updated.metadata.managedFields?.length, 3);
    const patch = { spec: { free: deep("p") } };
    assert.ok(applyMergePatch(live, patch));
    assert.ok(applyStrategicMergePatch(live, patch, widget));
    assert.ok(applyJsonPatch(live, [{ op: "test", path: "/spec/free", value: deep("z") }]));
  });
});
