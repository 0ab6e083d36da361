import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "../json/json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import { builtinType, decodeBuiltin } from "../builtin/index.ts";
import { widget } from "./testing/test-types.ts";
import { trackUpdate } from "./track-update.ts";
import type { UpdateRequest } from "./track-update.ts";

const apiVersion = "example.com/v1";
const common = {
  apiVersion,
  subresource: "",
  now: "2026-01-01T00:00:00Z",
  typeOf: () => widget,
  resetFields: [["status"]],
};

function track(
  live: KubeObject | undefined,
  updated: KubeObject,
  manager: string,
  more: Partial<UpdateRequest> = {},
): KubeObject {
  trackUpdate({ ...common, live, updated, manager, ...more });
  return updated;
}

function object(spec: JsonObject, managedFields?: ManagedFieldsEntry[]): KubeObject {
  return {
    apiVersion,
    kind: "Widget",
    metadata: { name: "w", uid: "u", ...(managedFields && { managedFields }) },
    spec,
  };
}

const changed = (live: KubeObject, spec: JsonObject): KubeObject => ({ ...structuredClone(live), spec });
const managers = (from: KubeObject): unknown[] => (from.metadata.managedFields ?? []).map((entry) => entry.manager);

describe("tracking of updates", () => {
  it("gives the creator everything, with the containers that it made", () => {
    const made = track(undefined, object({ size: 1, tags: ["x"], nested: {} }), "m");
    assert.deepEqual(made.metadata.managedFields, [
      {
        manager: "m",
        operation: "Update",
        apiVersion,
        time: common.now,
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { ".": {}, "f:nested": {}, "f:size": {}, "f:tags": { ".": {}, 'v:"x"': {} } } },
      },
    ]);
  });

  it("moves changed fields to the writer, and takes removed ones from everybody", () => {
    const live = track(undefined, object({ size: 1, color: "red", tags: ["x"] }), "a");
    const next = track(live, changed(live, { size: 2, tags: ["x"] }), "b");
    assert.deepEqual(
      next.metadata.managedFields?.map((entry) => entry.fieldsV1),
      [{ "f:spec": { ".": {}, "f:tags": { ".": {}, 'v:"x"': {} } } }, { "f:spec": { "f:size": {} } }],
    );
  });

  it("leaves fields alone that the write does not reach, and metadata that nobody owns", () => {
    const made = track(undefined, { ...object({}), status: { phase: "x" } }, "m");
    assert.deepEqual(made.metadata.managedFields?.[0]?.fieldsV1, { "f:spec": {} });
    const bare = track(undefined, { apiVersion, kind: "Widget", metadata: { name: "w", uid: "u" } }, "m");
    assert.equal(bare.metadata.managedFields, undefined);
  });

  it("keeps the live entries unless the client sends others", () => {
    const live = track(undefined, object({ size: 1 }), "a");
    const silent = changed(live, { size: 2 });
    delete silent.metadata.managedFields;
    assert.deepEqual(managers(track(live, silent, "a")), ["a"]);
    const sent: ManagedFieldsEntry = {
      manager: "z",
      operation: "Apply",
      apiVersion,
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:size": {} } },
    };
    assert.deepEqual(managers(track(live, object({ size: 1 }, [sent]), "a")), ["z"]);
    assert.deepEqual(managers(track(live, object({ size: 1 }, [{ ...sent, operation: "?" }]), "a")), ["a"]);
  });

  it("stops when the client empties the list, until the next apply", () => {
    const live = track(undefined, object({ size: 1 }), "a");
    for (const reset of [[], [{}]])
      assert.equal(track(live, object({ size: 2 }, reset), "a").metadata.managedFields, undefined);
    const untracked = object({ size: 1 });
    assert.equal(track(untracked, object({ size: 2 }), "a").metadata.managedFields, undefined);
  });

  it("ignores what a write to a subresource says about managed fields", () => {
    const live = track(undefined, object({ size: 1 }), "a");
    const next = track(live, { ...object({ size: 1 }, []), status: { phase: "x" } }, "s", {
      subresource: "status",
      resetFields: [["spec"]],
    });
    assert.deepEqual(
      next.metadata.managedFields?.map((entry) => [entry.manager, entry.subresource]),
      [
        ["a", undefined],
        ["s", "status"],
      ],
    );
  });

  it("moves no time when nothing else changes", () => {
    const live = track(undefined, object({ size: 1 }), "a");
    const next = track(live, structuredClone(live), "b", { now: "2027-01-01T00:00:00Z" });
    assert.deepEqual(next, live);
  });

  it("merges the oldest updaters of many into one", () => {
    let live = track(undefined, object({ free: {} }), "m00");
    const free: JsonObject = {};
    for (let i = 1; i <= 12; i++) {
      free[`k${i}`] = i;
      const time = `2026-01-01T00:00:${String(i).padStart(2, "0")}Z`;
      live = track(live, changed(live, { free: { ...free } }), `m${String(i).padStart(2, "0")}`, { now: time });
    }
    assert.deepEqual(managers(live), [
      "ancient-changes",
      "m04",
      "m05",
      "m06",
      "m07",
      "m08",
      "m09",
      "m10",
      "m11",
      "m12",
    ]);
    assert.deepEqual(live.metadata.managedFields?.[0], {
      manager: "ancient-changes",
      operation: "Update",
      apiVersion,
      time: "2026-01-01T00:00:03Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { ".": {}, "f:free": { ".": {}, "f:k1": {}, "f:k2": {}, "f:k3": {} } } },
    });
  });

  it("keeps the one of many among updaters of the same second, whatever their names", () => {
    let live = track(undefined, object({ free: {} }), "Zed");
    const free: JsonObject = {};
    for (const [i, name] of [...Array.from({ length: 11 }, (_, at) => `m${at}`), "Zed", "Zed"].entries()) {
      free[`k${i}`] = i;
      live = track(live, changed(live, { free: { ...free } }), name);
    }
    assert.ok(managers(live).includes("ancient-changes") && managers(live).includes("Zed"), managers(live).join());
  });

  it("turns ownership of parts into ownership of the whole when a type has become atomic", () => {
    const entry: ManagedFieldsEntry = {
      manager: "a",
      operation: "Apply",
      apiVersion,
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:whole": { "f:a": {} } } },
    };
    const live = object({ whole: { a: "1" } }, [entry]);
    assert.deepEqual(
      track(live, changed(live, { whole: { a: "1" }, size: 1 }), "b").metadata.managedFields?.[0]?.fieldsV1,
      { "f:spec": { "f:whole": {} } },
    );
  });

  it("does not count the empty structs of built-in kinds as made by the creator", () => {
    const type = builtinType("apps", "v1", "Deployment")!;
    const body = {
      metadata: { name: "d" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    };
    const updated = decodeBuiltin(body, type).object;
    trackUpdate({
      ...common,
      apiVersion: "apps/v1",
      typeOf: () => type,
      live: undefined,
      updated,
      blank: decodeBuiltin({}, type).object,
      manager: "m",
    });
    assert.deepEqual(updated.metadata.managedFields?.[0]?.fieldsV1, {
      "f:spec": {
        "f:selector": {},
        "f:template": {
          "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
          "f:spec": {
            "f:containers": { 'k:{"name":"c"}': { ".": {}, "f:image": {}, "f:name": {}, "f:resources": {} } },
          },
        },
      },
    });
  });
});
