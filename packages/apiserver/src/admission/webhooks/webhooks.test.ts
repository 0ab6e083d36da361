import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { systemClock, systemRandom } from "@gatewright/ports";
import { FakeCluster } from "../../controllers/testing/fake-cluster.ts";
import { createNamespace, namespaceResource } from "../../controllers/testing/fake-namespace.ts";
import { fakeResource } from "../../controllers/testing/fake-resource.ts";
import { createAdmission } from "../chain.ts";
import { attributesFor } from "../testing/attributes.ts";
import { patchOf, reviewOf, startWebhookServer } from "../testing/webhook-server.ts";
import type { Answer } from "../testing/webhook-server.ts";
import { createWebhookCaller } from "./webhook-client.ts";

const GROUP = "admissionregistration.k8s.io";
const configMaps = fakeResource("ConfigMap");
const widgets = fakeResource("Widget", { group: "example.com", versions: ["v1", "v1beta1"] });
const nodes = fakeResource("Node", { namespaced: false });
const configurations = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map((kind) =>
  fakeResource(kind, { group: GROUP, namespaced: false }),
);

async function world() {
  const resources = [
    namespaceResource(),
    configMaps,
    widgets,
    nodes,
    ...configurations,
    ...["LimitRange", "ResourceQuota"].map((kind) => fakeResource(kind)),
    ...["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"].map((kind) =>
      fakeResource(kind, { group: GROUP, namespaced: false }),
    ),
  ];
  const cluster = new FakeCluster(systemClock, resources);
  const reports: string[] = [];
  const admission = createAdmission({
    cluster,
    authorizer: { authorize: ({ user }) => ({ allowed: user.username === "alice", reason: "" }) },
    clock: systemClock,
    random: systemRandom,
    callWebhook: createWebhookCaller({ clock: systemClock, resolveService: () => undefined }),
    report: (message) => reports.push(message),
  });
  await createNamespace(cluster, "ns", { team: "a" });
  const configure = (type: "Mutating" | "Validating", name: string, ...webhooks: JsonObject[]) =>
    cluster.create(
      { group: GROUP, resource: `${type.toLowerCase()}webhookconfigurations` },
      { apiVersion: `${GROUP}/v1`, kind: `${type}WebhookConfiguration`, metadata: { name }, webhooks },
    );
  return { cluster, admission, configure, reports };
}

function webhook(clientConfig: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    name: "hook.example.com",
    clientConfig,
    rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], scope: "*" }],
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    timeoutSeconds: 10,
    admissionReviewVersions: ["v1"],
    ...more,
  };
}

function configMap(data?: Record<string, string>, labels?: Record<string, string>): KubeObject {
  const metadata = { name: "c", namespace: "ns", ...(labels && { labels }) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, ...(data && { data }) };
}

async function refusedWith(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "the request passed" });
}

/** Runs one webhook of each type with this answer on the creation of a ConfigMap. */
async function outcome(type: "Mutating" | "Validating", answer: Answer, more: JsonObject = {}) {
  const { admission, configure, reports } = await world();
  await using server = await startWebhookServer(answer);
  await configure(type, "conf", webhook(server.clientConfig(), more));
  const attributes = attributesFor(configMaps, "CREATE", configMap());
  const step = type === "Mutating" ? admission.mutate(attributes) : admission.validate(attributes);
  const error = await step.then(
    () => undefined,
    (reason: unknown) => {
      assert.ok(reason instanceof StatusError, String(reason));
      return reason;
    },
  );
  return { error, attributes, reports };
}

test("a webhook is told everything about the request", async () => {
  const seen: JsonObject[] = [];
  const object = configMap({ a: "b" });
  const { admission, configure } = await world();
  await using server = await startWebhookServer((review) => {
    seen.push(review);
    return reviewOf(review, { warnings: ["mind the gap"] });
  });
  await configure("Validating", "conf", webhook(server.clientConfig()));
  const attributes = attributesFor(configMaps, "UPDATE", object, { oldObject: configMap(), subresource: "" });
  await admission.validate(attributes);
  const { uid, ...request } = seen[0]!.request as JsonObject;
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.deepEqual(seen[0], { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: { uid, ...request } });
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
    object: object as unknown as Json,
    oldObject: configMap() as unknown as Json,
    dryRun: false,
    options: { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1" },
  });
  assert.deepEqual(attributes.warnings, ["mind the gap"]);
});

test("the namespace of a Namespace is its own name, and the object of a deletion is null", async () => {
  const seen: JsonObject[] = [];
  const { admission, configure, cluster } = await world();
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
  ["a denial without a word", (r) => reviewOf(r, { allowed: false }), { code: 400, message: 'admission webhook "hook.example.com" denied the request without explanation' }],
  ["a denial with a status", (r) => reviewOf(r, { allowed: false, status: { message: "no way", reason: "Invalid", code: 422, details: { name: "x" } } }), { code: 422, reason: "Invalid", message: 'admission webhook "hook.example.com" denied the request: no way', details: { name: "x" } }],
  ["a denial with a reason and a code of success", (r) => reviewOf(r, { allowed: false, status: { reason: "Conflict", code: 200 } }), { code: 400, reason: "Conflict", message: 'admission webhook "hook.example.com" denied the request: Conflict' }],
  ["nothing in it", () => ({}), "received invalid webhook response: webhook response was absent"],
  ["a string", () => "hello", 'failed to call webhook: couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'],
  ["another kind", (r) => ({ ...reviewOf(r, {}), kind: "Foo", apiVersion: "v1" }), 'failed to call webhook: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'],
  ["another version", (r) => ({ ...reviewOf(r, {}), apiVersion: "admission.k8s.io/v1beta1" }), "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion"],
  ["the wrong type", (r) => reviewOf(r, { allowed: "yes" }), "failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool"],
  ["a patch without its type", (r) => reviewOf(r, { patch: "W10=" }), "received invalid webhook response: webhook returned response.patch but not response.patchType"],
  ["a type without a patch", (r) => reviewOf(r, { patchType: "JSONPatch" }), "received invalid webhook response: webhook returned response.patchType but not response.patch"],
  ["a patch that is not JSON", (r) => reviewOf(r, { patchType: "JSONPatch", patch: Buffer.from("{").toString("base64") }), "received undecodable patch in webhook response: unexpected end of JSON input"],
  ["a patch that is not base64", (r) => reviewOf(r, { patchType: "JSONPatch", patch: "%%%" }), "failed to call webhook: illegal base64 data at input byte 0"],
  ["a patch of an unknown type", (r) => reviewOf(r, { ...patchOf([]), patchType: "Foo" }), 'unsupported patch type "Foo"'],
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
  assert.match(error?.message ?? "", /received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "zz"$/);
});

test("a validating webhook may not patch", async () => {
  const { error } = await outcome("Validating", (review) => reviewOf(review, patchOf([])));
  assert.match(error?.message ?? "", /received invalid webhook response: validating webhook may not return response.patch$/);
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
  assert.equal(changed.error?.message, "converting (Secret) to (ConfigMap): unknown conversion");
});

test("a patch of a deletion is an error", async () => {
  const { admission, configure } = await world();
  await using server = await startWebhookServer((review) => reviewOf(review, patchOf([{ op: "add", path: "/x", value: 1 }])));
  await configure("Mutating", "conf", webhook(server.clientConfig()));
  const deletion = attributesFor(configMaps, "DELETE", undefined, { oldObject: configMap() });
  const error = await refusedWith(admission.mutate(deletion));
  assert.equal(
    error.message,
    'Internal error occurred: admission webhook "hook.example.com" attempted to modify the object, which is not supported for this operation',
  );
});

test("mutating webhooks run by configuration name and then in list order, each on what those before it made", async () => {
  const { admission, configure } = await world();
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
  const { admission, configure } = await world();
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
  const { admission, configure } = await world();
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
  const { admission, configure } = await world();
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
  const { admission, configure } = await world();
  await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }, { sideEffects: "Some" }));
  const error = await refusedWith(admission.validate(attributesFor(configMaps, "CREATE", configMap(), { dryRun: true })));
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
  const { admission, configure } = await world();
  const own = await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }));
  await admission.validate(attributesFor(configurations[1]!, "UPDATE", own, { oldObject: own }));
});

/** Whether a webhook with these fields would be called: it cannot be reached, so being called means to fail. */
async function isCalled(more: JsonObject, attributes = attributesFor(configMaps, "CREATE", configMap())): Promise<boolean> {
  const { admission, configure } = await world();
  await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }, more));
  const error = await admission.validate(attributes).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined) assert.match(String(error), /connection refused/);
  return error !== undefined;
}

const rule = (more: JsonObject): JsonObject => ({
  rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"], scope: "*", ...more }],
});
const node = (): ReturnType<typeof attributesFor> =>
  attributesFor(nodes, "CREATE", { apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
const widget = (version: string): ReturnType<typeof attributesFor> =>
  attributesFor(widgets, "CREATE", { apiVersion: `example.com/${version}`, kind: "Widget", metadata: { name: "w", namespace: "ns" } });

test("rules are matched by operation, group, version, resource, subresource and scope", async () => {
  assert.equal(await isCalled(rule({})), true);
  assert.equal(await isCalled(rule({ operations: ["UPDATE", "DELETE"] })), false);
  assert.equal(await isCalled(rule({ apiGroups: ["apps"] })), false);
  assert.equal(await isCalled(rule({ resources: ["configmaps"] })), true);
  assert.equal(await isCalled(rule({ resources: ["configmaps/status"] })), false);
  assert.equal(await isCalled(rule({ scope: "Cluster" })), false);
  assert.equal(await isCalled(rule({ scope: "Namespaced" })), true);
  assert.equal(await isCalled(rule({ scope: "Namespaced" }), node()), false);
  assert.equal(await isCalled(rule({ scope: "Cluster" }), node()), true);
  const status = attributesFor(configMaps, "UPDATE", configMap(), { subresource: "status" });
  assert.equal(await isCalled(rule({ resources: ["*"] }), status), false);
  assert.equal(await isCalled(rule({ resources: ["*/status"] }), status), true);
  assert.equal(await isCalled(rule({ resources: ["configmaps/*"] }), status), true);
});

test("a rule for another version of the resource matches if equivalents do", async () => {
  const beta = rule({ apiGroups: ["example.com"], apiVersions: ["v1beta1"], resources: ["widgets"] });
  assert.equal(await isCalled(beta, widget("v1")), true);
  assert.equal(await isCalled({ ...beta, matchPolicy: "Exact" }, widget("v1")), false);
});

test("a webhook gets the object in the version of its rule, and its patch is brought back", async () => {
  const { admission, configure } = await world();
  const seen: JsonObject[] = [];
  await using server = await startWebhookServer((review) => {
    seen.push(review.request as JsonObject);
    return reviewOf(review, patchOf([{ op: "add", path: "/spec", value: 1 }]));
  });
  const beta = rule({ apiGroups: ["example.com"], apiVersions: ["v1beta1"], resources: ["widgets"] });
  await configure("Mutating", "conf", webhook(server.clientConfig(), beta));
  const attributes = widget("v1");
  await admission.mutate(attributes);
  assert.equal((seen[0]?.object as JsonObject).apiVersion, "example.com/v1beta1");
  assert.deepEqual(seen[0]?.kind, { group: "example.com", version: "v1beta1", kind: "Widget" });
  assert.deepEqual(seen[0]?.requestKind, { group: "example.com", version: "v1", kind: "Widget" });
  assert.equal(attributes.object?.apiVersion, "example.com/v1");
  assert.equal(attributes.object?.spec, 1);
});

test("selectors look at the namespace's labels and at the object's, new or old", async () => {
  const team = (value: string): JsonObject => ({ matchLabels: { team: value } });
  assert.equal(await isCalled({ namespaceSelector: team("a") }), true);
  assert.equal(await isCalled({ namespaceSelector: team("b") }), false);
  assert.equal(await isCalled({ namespaceSelector: team("b") }, node()), true, "cluster-scoped objects are not exempted");
  assert.equal(await isCalled({ objectSelector: team("a") }), false);
  const labelled = configMap(undefined, { team: "a" });
  assert.equal(await isCalled({ objectSelector: team("a") }, attributesFor(configMaps, "CREATE", labelled)), true);
  const relabelled = attributesFor(configMaps, "UPDATE", configMap(), { oldObject: labelled });
  assert.equal(await isCalled({ objectSelector: team("a") }, relabelled), true);
});

test("match conditions decide after the rules, and their failures follow the failure policy", async () => {
  const when = (...expressions: string[]): JsonObject => ({
    matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
  });
  assert.equal(await isCalled(when("object.metadata.name == 'c'")), true);
  assert.equal(await isCalled(when("object.metadata.name == 'x'")), false);
  assert.equal(await isCalled(when("request.userInfo.username == 'alice' && request.operation == 'CREATE'")), true);
  assert.equal(await isCalled(when("authorizer.group('').resource('pods').namespace('ns').check('get').allowed()")), true);
  assert.equal(await isCalled(when("!authorizer.requestResource.check('breakglass').allowed()")), false);
  assert.equal(await isCalled(when("object.data.x == 'y'", "false")), false, "a false one decides before an error");
  assert.equal(await isCalled({ ...when("object.data.x == 'y'"), failurePolicy: "Ignore" }), false);
  const { admission, configure } = await world();
  await configure("Validating", "conf", webhook({ url: "https://127.0.0.1:1/" }, when("object.data.x == 'y'")));
  const error = await refusedWith(admission.validate(attributesFor(configMaps, "CREATE", configMap())));
  assert.equal(error.code, 403);
  assert.equal(
    error.message,
    `configmaps "c" is forbidden: expression 'object.data.x == 'y'' resulted in error: no such key: data`,
  );
});
