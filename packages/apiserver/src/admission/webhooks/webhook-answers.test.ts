import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { namespaceResource } from "../../controllers/testing/fake-namespace.ts";
import { attributesFor } from "../testing/attributes.ts";
import { patchOf, reviewOf, startWebhookServer } from "../testing/webhook-server.ts";
import type { Answer } from "../testing/webhook-server.ts";
import { configMap, configMaps, outcome, webhook, webhookWorld } from "../testing/webhook-world.ts";

test("a webhook is told everything about the request", async () => {
  const seen: JsonObject[] = [];
  const object = configMap({ a: "b" });
  const { admission, configure } = await webhookWorld();
  await using server = await startWebhookServer((review) => {
    seen.push(review);
    return reviewOf(review, { warnings: ["mind the gap"] });
  });
  await configure("Validating", "conf", webhook(server.clientConfig()));
  const attributes = attributesFor(configMaps, "UPDATE", object, { oldObject: configMap(), subresource: "" });
  await admission.validate(attributes);
  const { uid, ...request } = seen[0]!.request as JsonObject;
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.deepEqual(seen[0], {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: { uid, ...request },
  });
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { group: "", version: "v1", resource: "configmaps" };
  assert.deepEqual(request, {
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: "c",
    namespace: "ns",
    operation: "UPDATE",
    userInfo: { username: "alice", uid: "1", groups: ["system:authenticated"] },
    object: object,
    oldObject: configMap(),
    dryRun: false,
    options: { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1" },
  });
  assert.deepEqual(attributes.warnings, ["mind the gap"]);
});

test("the namespace of a Namespace is its own name, and the object of a deletion is null", async () => {
  const seen: JsonObject[] = [];
  const { admission, configure, cluster } = await webhookWorld();
  await using server = await startWebhookServer((review) => {
    seen.push(review.request as JsonObject);
    return reviewOf(review, {});
  });
  await configure("Validating", "conf", webhook(server.clientConfig()));
  const oldObject = cluster.get({ group: "", resource: "namespaces" }, "", "ns");
  await admission.validate(attributesFor(namespaceResource(), "DELETE", undefined, { oldObject }));
  assert.equal(seen[0]?.namespace, "ns");
  assert.equal(seen[0]?.object, null);
});

const MUTATING_ANSWERS: [string, Answer, JsonObject | string][] = [
  [
    "a denial without a word",
    (r) => reviewOf(r, { allowed: false }),
    { code: 400, message: 'admission webhook "hook.example.com" denied the request without explanation' },
  ],
  [
    "a denial with a status",
    (r) =>
      reviewOf(r, {
        allowed: false,
        status: { message: "no way", reason: "Invalid", code: 422, details: { name: "x" } },
      }),
    {
      code: 422,
      reason: "Invalid",
      message: 'admission webhook "hook.example.com" denied the request: no way',
      details: { name: "x" },
    },
  ],
  [
    "a denial with a reason and a code of success",
    (r) => reviewOf(r, { allowed: false, status: { reason: "Conflict", code: 200 } }),
    { code: 400, reason: "Conflict", message: 'admission webhook "hook.example.com" denied the request: Conflict' },
  ],
  ["nothing in it", () => ({}), "received invalid webhook response: webhook response was absent"],
  [
    "a string",
    () => "hello",
    'failed to call webhook: couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
  ],
  [
    "another kind",
    (r) => ({ ...reviewOf(r, {}), kind: "Foo", apiVersion: "v1" }),
    'failed to call webhook: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    "another version",
    (r) => ({ ...reviewOf(r, {}), apiVersion: "admission.k8s.io/v1beta1" }),
    "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
  ],
  [
    "the wrong type",
    (r) => reviewOf(r, { allowed: "yes" }),
    "failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
  ],
  [
    "a patch without its type",
    (r) => reviewOf(r, { patch: "W10=" }),
    "received invalid webhook response: webhook returned response.patch but not response.patchType",
  ],
  [
    "a type without a patch",
    (r) => reviewOf(r, { patchType: "JSONPatch" }),
    "received invalid webhook response: webhook returned response.patchType but not response.patch",
  ],
  [
    "a patch that is not JSON",
    (r) => reviewOf(r, { patchType: "JSONPatch", patch: Buffer.from("{").toString("base64") }),
    "received undecodable patch in webhook response: unexpected end of JSON input",
  ],
  [
    "a patch that is not base64",
    (r) => reviewOf(r, { patchType: "JSONPatch", patch: "%%%" }),
    "failed to call webhook: illegal base64 data at input byte 0",
  ],
  [
    "a patch of an unknown type",
    (r) => reviewOf(r, { ...patchOf([]), patchType: "Foo" }),
    'unsupported patch type "Foo"',
  ],
];
for (const [what, answer, expected] of MUTATING_ANSWERS) {
  test(`a mutating webhook that answers with ${what} refuses the request`, async () => {
    const { error } = await outcome("Mutating", answer);
    assert.ok(error);
    if (typeof expected === "string") {
      assert.equal(error.message, `Internal error occurred: failed calling webhook "hook.example.com": ${expected}`);
      assert.equal(error.code, 500);
    } else {
      const { code, message, reason, details } = error;
      assert.deepEqual({ code, message, ...(reason && { reason }), ...(details && { details }) }, expected);
    }
  });
}

test("an answer with another uid is refused", async () => {
  const { error } = await outcome("Validating", (review) => reviewOf(review, { uid: "zz" }));
  assert.match(
    error?.message ?? "",
    /received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "zz"$/,
  );
});

test("a validating webhook may not patch", async () => {
  const { error } = await outcome("Validating", (review) => reviewOf(review, patchOf([])));
  assert.match(
    error?.message ?? "",
    /received invalid webhook response: validating webhook may not return response.patch$/,
  );
});

test("a failure is passed over and reported where the failure policy is Ignore; a denial is not", async () => {
  const ignore = { failurePolicy: "Ignore" };
  const failed = await outcome("Validating", () => ({}), ignore);
  assert.equal(failed.error, undefined);
  assert.deepEqual(failed.reports, [
    'failed calling webhook "hook.example.com": received invalid webhook response: webhook response was absent',
  ]);
  const denied = await outcome("Validating", (review) => reviewOf(review, { allowed: false }), ignore);
  assert.equal(denied.error?.code, 400);
});
