import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deepClone } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { struct, structs } from "../../resources/object-fields.ts";
import { create, recorded, servedFor, update } from "./replay.ts";

/** Without what differs from write to write, and what admission adds on a real server. */
function comparable(object: KubeObject): KubeObject {
  const copy = deepClone(object);
  for (const field of ["uid", "creationTimestamp", "resourceVersion", "generation", "namespace"] as const)
    delete copy.metadata[field];
  const [spec, status] = [struct(copy, "spec") ?? {}, struct(copy, "status") ?? {}];
  const drop = (holder: JsonObject, ...fields: readonly string[]): void =>
    fields.forEach((field) => delete holder[field]);
  switch (copy.kind) {
    case "Pod":
      drop(spec, "priority", "preemptionPolicy", "serviceAccount", "serviceAccountName", "tolerations");
      for (const condition of structs(status, "conditions")) condition["lastTransitionTime"] = "T";
      break;
    case "Service":
      drop(spec, "clusterIP", "clusterIPs", "healthCheckNodePort");
      for (const port of structs(spec, "ports")) drop(port, "nodePort");
      break;
    case "PersistentVolume":
      drop(status, "lastPhaseTransitionTime");
      break;
  }
  return copy;
}

/** The errors of a refusal, in any order: the server walks maps at random. */
function errorsIn(message: string): string[] {
  return message
    .split(/, (?=[a-zA-Z]+[.[])/)
    .map((text) => text.replace(/^.* is invalid: \[?|\]$/g, ""))
    .toSorted();
}

describe("a new object is defaulted, completed or refused as kube-apiserver does it", () => {
  for (const { case: name, body, message, object, generation } of recorded("creates.jsonl")) {
    test(name, async () => {
      const made = await create(body as JsonObject);
      if (typeof message === "string") {
        assert.equal(typeof made, "string", "it should have been refused");
        assert.deepEqual(errorsIn(made as string), errorsIn(message));
        return;
      }
      assert.notEqual(typeof made, "string", made as string);
      assert.deepEqual(comparable(made as KubeObject), object);
      assert.equal(servedFor(body as JsonObject).resource.strategy.tracksGeneration, generation !== undefined);
    });
  }
});

describe("a changed object is judged as kube-apiserver judges it", () => {
  for (const { case: name, subresource, old, body, message, object } of recorded("updates.jsonl")) {
    test(name, async () => {
      const made = await update(body as JsonObject, old as JsonObject, subresource as string | undefined);
      if (typeof message === "string") {
        assert.equal(typeof made, "string", "it should have been refused");
        assert.deepEqual(errorsIn(made as string), errorsIn(message));
        return;
      }
      assert.notEqual(typeof made, "string", made as string);
      const { resourceVersion: _version, ...metadata } = (made as KubeObject).metadata;
      assert.deepEqual({ ...(made as KubeObject), metadata }, object);
    });
  }
});

describe("columns and cells are those of kube-apiserver", () => {
  for (const { case: name, columns, object, cells } of recorded("cells.jsonl")) {
    test(name, () => {
      const table = servedFor(object as JsonObject).version.columns;
      const shown = table.definitions.map(
        (d) => `${d.name}${d.type === "string" ? "" : `:${d.type}`}${d.priority > 0 ? "@1" : ""}`,
      );
      assert.deepEqual(shown, columns);
      const now = Date.parse((object as KubeObject).metadata.creationTimestamp ?? "") + 1000;
      const text = JSON.stringify(table.cells(object as KubeObject, now)).replaceAll(/"\d+(ms|s)"/g, '"AGE"');
      assert.deepEqual(JSON.parse(text), cells);
    });
  }
});
