import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "../json/freeze.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { KubeObject } from "../object.ts";
import { compileSchema } from "../schema/index.ts";
import { StatusError } from "../status.ts";
import type { Status } from "../status.ts";
import { applyServerSide } from "./apply.ts";
import recorded from "./recorded-writes.json" with { type: "json" };
import { trackUpdate } from "./track-update.ts";

/** One write to a kube-apiserver 1.36, and what it answered: the object, or a refusal. */
interface Step {
  readonly op: string;
  readonly manager: string;
  readonly force?: boolean;
  readonly version?: string;
  readonly body: Json;
  readonly now: string;
  readonly object?: KubeObject;
  readonly status?: Status;
}

const GROUP = "things.example.com";
const types = new Map([
  [`${GROUP}/v1`, compileSchema(recorded.v1 as unknown as JsonObject).type],
  [`${GROUP}/v2`, compileSchema(recorded.v2 as unknown as JsonObject).type],
]);
const typeOf = (apiVersion: string) => types.get(apiVersion);

/** Order among entries of the same second depends on times that the recording does not have. */
function managedFields(object: KubeObject): Json[] {
  const entries = (object.metadata.managedFields ?? []).map((entry) => ({ ...entry, time: entry.time !== undefined }));
  return sorted(entries);
}

function sorted(values: Json[]): Json[] {
  return values.map(sortKeys).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key]!)]),
  );
}

/** What the server does to a custom resource after the merge, as far as these objects need it. */
function settled(object: KubeObject, status: Json | undefined): Json {
  const { managedFields: _, ...metadata } = object.metadata;
  const copy = structuredClone({ ...object, metadata }) as unknown as JsonObject & {
    metadata: JsonObject;
    spec?: { pairs?: JsonObject[] };
  };
  for (const key of ["labels", "annotations", "finalizers"]) {
    if (Object.keys(copy.metadata[key] ?? {}).length === 0) delete copy.metadata[key];
  }
  for (const pair of copy.spec?.pairs ?? []) pair["proto"] ??= "TCP";
  delete copy["status"];
  return sortKeys(status === undefined ? copy : { ...copy, status });
}

function replay(step: Step, live: KubeObject | undefined): void {
  const apiVersion = `${GROUP}/${step.version ?? "v1"}`;
  const subresource = step.op === "status" || step.op === "applyStatus" ? "status" : "";
  const request = {
    live: live && (deepFreeze({ ...live, apiVersion }) as unknown as KubeObject),
    manager: step.op === "csa" ? "kubectl-client-side-apply" : step.manager,
    apiVersion,
    subresource,
    now: step.now,
    typeOf,
    resetFields: subresource === "" ? [["status"]] : [["metadata"], ["spec"]],
  };
  if (!step.op.startsWith("apply")) {
    const updated = structuredClone(step.object!);
    const sent =
      step.op === "merge" || step.op === "json" || step.op === "csa" ? live : (step.body as unknown as KubeObject);
    delete updated.metadata.managedFields;
    if (sent?.metadata?.managedFields) updated.metadata.managedFields = structuredClone(sent.metadata.managedFields);
    trackUpdate({ ...request, updated });
    assert.deepEqual(managedFields(updated), managedFields(step.object!));
    return;
  }
  const patch = deepFreeze(step.body as JsonObject) as unknown as KubeObject;
  const apply = () => applyServerSide({ ...request, patch, kind: "Widget", force: step.force === true });
  if (step.status !== undefined) {
    assert.throws(apply, (error) => {
      assert.ok(error instanceof StatusError);
      assert.deepEqual(error.toStatus().message, step.status!.message);
      assert.deepEqual(
        sorted((error.details?.causes ?? []) as Json[]),
        sorted((step.status!.details?.causes ?? []) as Json[]),
      );
      assert.equal(error.code, step.status!.code);
      return true;
    });
    return;
  }
  const { object } = apply();
  assert.deepEqual(managedFields(object), managedFields(step.object!));
  const status = subresource === "" ? live?.["status"] : object["status"];
  assert.deepEqual(settled(object, status), settled(step.object!, step.object!["status"]));
}

describe("writes recorded from kube-apiserver", () => {
  for (const [number, sequence] of (recorded.sequences as unknown as Step[][]).entries()) {
    it(`give the same objects, owners and refusals (${number + 1}: ${sequence.map((step) => step.op).join(", ")})`, () => {
      let live: KubeObject | undefined;
      for (const step of sequence) {
        replay(step, live);
        live = step.object ?? live;
      }
    });
  }
});
