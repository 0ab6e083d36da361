import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "@gatewright/kube";
import { attributesFor } from "../testing/attributes.ts";
import { patchOf, reviewOf, startWebhookServer } from "../testing/webhook-server.ts";
import type { Answer } from "../testing/webhook-server.ts";
import {
  configMap,
  configMaps,
  configurations,
  outcome,
  refusedWith,
  webhook,
  webhookWorld,
} from "../testing/webhook-world.ts";

test("a patch changes the object", async () => {
  const patch = patchOf([{ op: "add", path: "/data", value: { a: "b", __proto__x: "c" } }]);
  const { attributes, error } = await outcome("Mutating", (review) => reviewOf(review, patch));
  assert.equal(error, undefined);
  assert.deepEqual(attributes.object?.data, { a: "b", __proto__x: "c" });
});

test("a patch that does not apply, or makes another kind of the object, is an error that is not ignored", async () => {
  const ignore = { failurePolicy: "Ignore" };
  const missing = patchOf([{ op: "remove", path: "/zz" }]);
  const failed = await outcome("Mutating", (review) => reviewOf(review, missing), ignore);
  assert.equal(failed.error?.code, 500);
  const other = patchOf([{ op: "replace", path: "/kind", value: "Secret" }]);
  const changed = await outcome("Mutating", (review) => reviewOf(review, other), ignore);
  assert.equal(changed.error?.message, "converting (v1.Secret) to (core.ConfigMap): unknown conversion");
});

test("a patch of a deletion is an error", async () => {
  const { admission, configure } = await webhookWorld();
  await using server = await startWebhookServer((review) =>
    reviewOf(review, patchOf([{ op: "add", path: "/x", value: 1 }])),
  );
  await configure("Mutating", "conf", webhook(server.clientConfig()));
  const deletion = attributesFor(configMaps, "DELETE", undefined, { oldObject: configMap() });
  const error = await refusedWith(admission.mutate(deletion));
  assert.equal(
    error.message,
    'Internal error occurred: admission webhook "hook.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

test("mutating webhooks run by configuration name and then in list order, each on what those before it made", async () => {
  const { admission, configure } = await webhookWorld();
  const order: string[] = [];
  await using server = await startWebhookServer((review, request) => {
    const path = new URL(request.url ?? "", "https://x").pathname.slice(1);
    const { data = {} } = (review.request as { object: { data?: JsonObject } }).object;
    order.push(`${path}(${Object.keys(data).join("")})`);
    return reviewOf(review, patchOf([{ op: "add", path: "/data", value: { ...data, [path]: "" } }]));
  });
  await configure("Mutating", "b", webhook(server.clientConfig("/c")));
  await configure("Mutating", "a", webhook(server.clientConfig("/b")), webhook(server.clientConfig("/a")));
  await admission.mutate(attributesFor(configMaps, "CREATE", configMap()));
  assert.deepEqual(order, ["b()", "a(b)", "c(ba)"]);
});

test("a webhook that asks for it runs once more if the object changed after it", async () => {
  const { admission, configure } = await webhookWorld();
  const calls: string[] = [];
  await using server = await startWebhookServer((review, request) => {
    const path = new URL(request.url ?? "", "https://x").pathname.slice(1);
    calls.push(path);
    const count = calls.filter((c) => c === path).length;
    return reviewOf(review, patchOf([{ op: "add", path: `/${path}`, value: count }]));
  });
  const again = { reinvocationPolicy: "IfNeeded" };
  await configure(
    "Mutating",
    "conf",
    webhook(server.clientConfig("/first"), again),
    webhook(server.clientConfig("/once")),
    webhook(server.clientConfig("/last"), again),
  );
  await admission.mutate(attributesFor(configMaps, "CREATE", configMap()));
  assert.deepEqual(calls, ["first", "once", "last", "first", "last"]);
});

test("a webhook whose own change was the last one is not run again", async () => {
  const { admission, configure } = await webhookWorld();
  let calls = 0;
  await using server = await startWebhookServer((review) => {
    calls++;
    return reviewOf(review, patchOf([{ op: "add", path: "/data", value: { a: "b" } }]));
  });
  await configure("Mutating", "conf", webhook(server.clientConfig(), { reinvocationPolicy: "IfNeeded" }));
  await admission.mutate(attributesFor(configMaps, "CREATE", configMap()));
  assert.equal(calls, 1);
});

test("of several validating refusals the first in order is told, and all webhooks are asked", async () => {
  const { admission, configure } = await webhookWorld();
  let calls = 0;
  await using server = await startWebhookServer((review, request) => {
    calls++;
    return reviewOf(review, { allowed: false, status: { message: request.url ?? "" } });
  });
  await configure("Validating", "conf", webhook(server.clientConfig("/1")), webhook(server.clientConfig("/2")));
  const error = await refusedWith(admission.validate(attributesFor(configMaps, "CREATE", configMap())));
  assert.match(error.message, /: \/1\?timeout=10s$/);
  assert.equal(calls, 2);
});

test("a webhook with side effects is not called in a dry run", async () => {
  const { admission, configure } = await webhookWorld();
  await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }, { sideEffects: "Some" }));
  const error = await refusedWith(
    admission.validate(attributesFor(configMaps, "CREATE", configMap(), { dryRun: true })),
  );
  assert.equal(error.message, 'admission webhook "hook.example.com" does not support dry run');
  assert.equal(error.code, 400);
});

test("a webhook that knows only v1beta1 is asked in v1beta1", async () => {
  const versions: (Json | undefined)[] = [];
  const answer: Answer = (review) => {
    versions.push(review.apiVersion);
    return { ...reviewOf(review, patchOf([{ op: "add", path: "/data", value: {} }])) };
  };
  await outcome("Mutating", answer, { admissionReviewVersions: ["v1beta1", "v1"] });
  assert.deepEqual(versions, ["admission.k8s.io/v1beta1"]);
});

test("what configures admission is not sent to webhooks", async () => {
  const { admission, configure } = await webhookWorld();
  const own = await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }));
  await admission.validate(attributesFor(configurations[1]!, "UPDATE", own, { oldObject: own }));
});
