import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Json, JsonObject } from "../json/json.ts";
import type { KubeObject } from "../object.ts";
import { StatusError } from "../status.ts";
import { apiVersion, apply, common, config } from "./testing/apply-fixture.ts";
import { trackUpdate } from "./track-update.ts";

function update(
  live: KubeObject,
  manager: string,
  change: (object: KubeObject & { spec: JsonObject }) => void,
): KubeObject {
  const updated = structuredClone(live) as KubeObject & { spec: JsonObject };
  change(updated);
  trackUpdate({ ...common, live, updated, manager });
  return updated;
}

function owned(object: KubeObject, manager: string, operation = "Apply"): Json | undefined {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager && entry.operation === operation)
    ?.fieldsV1;
}

describe("server-side apply", () => {
  it("records what the configuration says, without its containers", () => {
    const object = apply(undefined, config({ size: 1, tags: ["x", "y"], ports: [{ name: "p1", port: 1 }] }), "a");
    assert.deepEqual(owned(object, "a"), {
      "f:spec": {
        "f:ports": { 'k:{"name":"p1"}': { ".": {}, "f:name": {}, "f:port": {} } },
        "f:size": {},
        "f:tags": { 'v:"x"': {}, 'v:"y"': {} },
      },
    });
  });

  it("refuses to change what another owns, and tells each field", () => {
    const live = apply(undefined, config({ size: 1, ports: [{ name: "p2", port: 1 }] }), "mgr-a");
    assert.throws(
      () => apply(live, config({ size: 2, ports: [{ name: "p2", port: 2 }] }), "mgr-b"),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 409);
        assert.equal(error.reason, "Conflict");
        assert.equal(
          error.message,
          'Apply failed with 2 conflicts: conflicts with "mgr-a":\n- .spec.size\n- .spec.ports[name="p2"].port',
        );
        assert.deepEqual(error.details, {
          causes: [
            { reason: "FieldManagerConflict", message: 'conflict with "mgr-a"', field: ".spec.size" },
            { reason: "FieldManagerConflict", message: 'conflict with "mgr-a"', field: '.spec.ports[name="p2"].port' },
          ],
        });
        return true;
      },
    );
  });

  it("names the version of an updater in a conflict", () => {
    const live = update(apply(undefined, config({ size: 1 }), "a"), "upd", (object) => (object.spec["size"] = 2));
    assert.throws(() => apply(live, config({ size: 3 }), "a"), {
      message: 'Apply failed with 1 conflict: conflict with "upd" using example.com/v1: .spec.size',
    });
  });

  it("shares what both set to the same value, and takes the rest by force", () => {
    const live = apply(undefined, config({ size: 1, color: "red" }), "a");
    assert.deepEqual(owned(apply(live, config({ size: 1 }), "b"), "b"), { "f:spec": { "f:size": {} } });
    const forced = apply(live, config({ size: 2 }), "b", { force: true });
    assert.deepEqual(forced["spec"], { size: 2, color: "red" });
    assert.deepEqual(owned(forced, "a"), { "f:spec": { "f:color": {} } });
  });

  it("removes what its only owner gives up, and keeps what others own", () => {
    let live = apply(
      undefined,
      config(
        {
          tags: ["x", "y"],
          ports: [
            { name: "p1", port: 1 },
            { name: "p2", port: 2 },
          ],
        },
        { labels: { l: "1" } },
      ),
      "a",
    );
    live = apply(live, config({ ports: [{ name: "p2", port: 3 }] }), "b", { force: true });
    live = apply(live, config({ tags: ["y"] }), "a");
    assert.deepEqual(live["spec"], { tags: ["y"], ports: [{ name: "p2", port: 3 }] });
    assert.equal(live.metadata.labels, undefined);
  });

  it("keeps values that nobody owns", () => {
    const live = apply(undefined, config({ size: 1 }), "a");
    (live["spec"] as JsonObject)["color"] = "defaulted";
    assert.deepEqual(apply(live, config({ tags: ["t"] }), "a")["spec"], { color: "defaulted", tags: ["t"] });
  });

  it("orders merged lists as applied, with others' items where they stood", () => {
    const names = (object: KubeObject): Json[] =>
      (object["spec"] as { ports: JsonObject[] }).ports.map((port) => port["name"]!);
    const ports = (...list: string[]) => config({ ports: list.map((name) => ({ name })) });
    const live = apply(undefined, ports("a", "b", "c", "d"), "m");
    assert.deepEqual(names(apply(live, ports("d", "a"), "n")), ["b", "c", "d", "a"]);
    assert.deepEqual(names(apply(live, ports("a", "new", "b"), "n")), ["a", "new", "b", "c", "d"]);
  });

  it("takes missing list keys from defaults", () => {
    const live = apply(undefined, config({ pairs: [{ port: 80, name: "x" }] }), "a");
    assert.deepEqual(owned(live, "a"), {
      "f:spec": { "f:pairs": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } } },
    });
    assert.deepEqual(apply(live, config({ pairs: [{ port: 80, protocol: "TCP" }] }), "b")["spec"], {
      pairs: [{ port: 80, name: "x", protocol: "TCP" }],
    });
  });

  it("replaces atomic values as a whole, and merges free-form objects by key", () => {
    const live = apply(undefined, config({ whole: { a: "1", b: "1" }, args: ["x"], free: { a: 1, list: [1] } }), "a");
    const next = apply(live, config({ whole: { a: "2" }, args: ["y"], free: { b: 2, list: [2] } }), "b", {
      force: true,
    });
    assert.deepEqual(next["spec"], { whole: { a: "2" }, args: ["y"], free: { a: 1, b: 2, list: [2] } });
    assert.deepEqual(owned(next, "a"), { "f:spec": { "f:free": { "f:a": {} } } });
  });

  it("gives what was there before the first apply to its own owner", () => {
    const live: KubeObject = {
      apiVersion,
      kind: "Widget",
      metadata: { name: "w", uid: "u" },
      spec: { size: 1, color: "red" },
    };
    const next = apply(live, config({ size: 1 }), "a");
    assert.deepEqual(owned(next, "before-first-apply", "Update"), {
      "f:spec": { ".": {}, "f:color": {}, "f:size": {} },
    });
  });

  it("refuses configurations that do not fit, in kube-apiserver's words", () => {
    const refusal = (spec: Json): string => {
      try {
        apply(undefined, config(spec, { namespace: "ns" }), "a");
      } catch (error) {
        assert.ok(error instanceof StatusError && error.code === 500 && error.reason === undefined);
        return error.message.replace("failed to create typed patch object (ns/w; example.com/v1, Kind=Widget): ", "");
      }
      return "";
    };
    assert.equal(refusal({ zzz: 1 }), ".spec.zzz: field not declared in schema");
    assert.equal(
      refusal({ ports: [{ name: "a" }, { name: "a" }] }),
      '.spec.ports: duplicate entries for key [name="a"]',
    );
    assert.equal(refusal({ tags: ["a", "a"] }), '.spec.tags: duplicate entries for key [="a"]');
    assert.equal(refusal({ size: "x" }), ".spec.size: expected numeric (int or float), got string");
    assert.equal(refusal({ color: 1 }), ".spec.color: expected string, got &value.valueUnstructured{Value:1}");
    assert.equal(refusal({ tags: 1 }), ".spec.tags: expected list, got &{1}");
    assert.equal(refusal({ nested: ["q"] }), ".spec.nested: expected map, got &{[q]}");
    assert.equal(
      refusal({ ports: [{ port: 1 }] }),
      '.spec.ports: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
    );
    assert.equal(
      refusal({ args: ["a", 1], tags: [{}] }),
      "errors:\n  .spec.args[1]: expected string, got &value.valueUnstructured{Value:1}\n  .spec.tags: element 0: associative list without keys has an element that's a map type",
    );
  });

  it("refuses another kind, another version and managed fields", () => {
    assert.throws(() => apply(undefined, { ...config({}), kind: "Other" }, "a"), {
      code: 400,
      message: "invalid object type: example.com/v1, Kind=Other",
    });
    assert.throws(() => apply(undefined, { ...config({}), apiVersion: "v1" }, "a"), {
      code: 400,
      message: "invalid object type: /v1, Kind=Widget",
    });
    assert.throws(() => apply(undefined, config({}, { managedFields: [] }), "a"), {
      code: 400,
      message: "metadata.managedFields must be nil",
    });
  });

  it("takes a configuration without metadata", () => {
    const bare = { apiVersion, kind: "Widget", metadata: null, spec: { size: 1 } } as unknown as KubeObject;
    for (const manager of ["a", "kubectl"])
      assert.deepEqual(owned(apply(undefined, bare, manager), manager), { "f:spec": { "f:size": {} } });
  });

  it("drops owners of versions that are gone", () => {
    const live = apply(undefined, config({ size: 1 }), "a");
    const old = structuredClone(live);
    old.metadata.managedFields!.push({
      manager: "old",
      operation: "Update",
      apiVersion: "example.com/v0",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:size": {} } },
    });
    assert.deepEqual(
      apply(old, config({ size: 2 }), "a").metadata.managedFields?.map((entry) => entry.manager),
      ["a"],
    );
  });

  it("lets kubectl take over from client-side apply, and no one else", () => {
    const last = JSON.stringify(config({ size: 1 }));
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": last };
    const live: KubeObject = { ...config({ size: 1, color: "red" }), metadata: { name: "w", uid: "u", annotations } };
    assert.throws(() => apply(live, config({ size: 2 }), "someone"), { code: 409 });
    assert.throws(() => apply(live, config({ size: 2, color: "blue" }), "kubectl"), /1 conflict: .*: \.spec\.color$/);
    const next = apply(live, config({ size: 2 }), "kubectl");
    assert.deepEqual(next["spec"], { size: 2, color: "red" });
    assert.equal(
      next.metadata.annotations!["kubectl.kubernetes.io/last-applied-configuration"],
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":2}}\n',
    );
  });

  it("leaves the time of an applier that changes nothing, and has none for a new one", () => {
    const live = apply(undefined, config({ size: 1 }), "a");
    const later = { now: "2026-02-02T00:00:00Z" };
    assert.equal(apply(live, config({ size: 1 }), "a", later).metadata.managedFields![0]!.time, common.now);
    assert.deepEqual(
      apply(live, config({ size: 1 }), "b", later).metadata.managedFields?.map((entry) => entry.time),
      [undefined, common.now],
    );
  });
});
