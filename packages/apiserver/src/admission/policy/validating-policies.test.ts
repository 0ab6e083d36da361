import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { ManualClock } from "@gatewright/ports";
import { FakeCluster } from "../../controllers/testing/fake-cluster.ts";
import { createNamespace, namespaceResource } from "../../controllers/testing/fake-namespace.ts";
import { fakeResource } from "../../controllers/testing/fake-resource.ts";
import { attributesFor } from "../testing/attributes.ts";
import { validatingPolicies } from "./validating-policies.ts";

const GROUP = "admissionregistration.k8s.io";
const configMaps = fakeResource("ConfigMap");
const policies = fakeResource("ValidatingAdmissionPolicy", { group: GROUP, namespaced: false });
const bindings = fakeResource("ValidatingAdmissionPolicyBinding", { group: GROUP, namespaced: false });
const PARAMS = { paramKind: { apiVersion: "v1", kind: "ConfigMap" } };

async function world() {
  const cluster = new FakeCluster(new ManualClock(), [namespaceResource(), configMaps, policies, bindings]);
  await createNamespace(cluster, "ns", { team: "a" });
  const params = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "params", namespace: "ns", labels: { p: "1" } },
  };
  await cluster.create(configMaps, { ...params, data: { max: "2" } });
  const plugin = validatingPolicies({
    cluster,
    authorizer: {
      authorize: ({ user, resource }) => ({
        allowed: user.username === "system:serviceaccount:ns:robot" || resource?.resource === "configmaps",
        reason: "because",
      }),
    },
  });
  const enact = async (spec: JsonObject, binding: JsonObject | "unbound" = {}): Promise<void> => {
    const matchConstraints = {
      resourceRules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      namespaceSelector: {},
      objectSelector: {},
      matchPolicy: "Equivalent",
    };
    const kind = { apiVersion: `${GROUP}/v1`, kind: "ValidatingAdmissionPolicy" };
    await cluster.create(policies, { ...kind, metadata: { name: "p" }, spec: { matchConstraints, ...spec } });
    if (binding === "unbound") return;
    const bound = { policyName: "p", validationActions: ["Deny"], ...binding };
    await cluster.create(bindings, { ...kind, kind: `${kind.kind}Binding`, metadata: { name: "b" }, spec: bound });
  };
  return { cluster, plugin, enact };
}

const configMap = (data?: Record<string, string>): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "ns" },
  ...(data && { data }),
});

/** What becomes of the creation of a ConfigMap under a policy: the refusal, and the warnings. */
async function judged(spec: JsonObject, binding?: JsonObject, object = configMap()) {
  const { plugin, enact } = await world();
  await enact(spec, binding);
  const attributes = attributesFor(configMaps, "CREATE", object);
  try {
    await plugin.validate?.(attributes);
    return { error: undefined, warnings: attributes.warnings };
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return { error, warnings: attributes.warnings };
  }
}

async function denial(spec: JsonObject, binding?: JsonObject): Promise<string | undefined> {
  const { error } = await judged(spec, binding);
  return error?.message.replace(/^.* denied request: /, "");
}

const validations = (...list: (string | JsonObject)[]): JsonObject => ({
  validations: list.map((item) => (typeof item === "string" ? { expression: item } : item)),
});

test("a denial is a 422 that names policy, binding and expression", async () => {
  const { error } = await judged(validations("object.metadata.name != 'c'"));
  const message =
    "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: failed expression: object.metadata.name != 'c'";
  assert.deepEqual(error?.toStatus(), {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `configmaps "c" is forbidden: ${message}`,
    reason: "Invalid",
    details: { name: "c", kind: "configmaps", causes: [{ message }] },
    code: 422,
  });
});

test("what satisfies all validations passes, and so does everything without a binding", async () => {
  assert.equal((await judged(validations("true", "object.metadata.name == 'c'"))).error, undefined);
  const { plugin, enact } = await world();
  await enact(validations("false"), "unbound");
  await plugin.validate?.(attributesFor(configMaps, "CREATE", configMap()));
});

test("the reason of a validation gives the code", async () => {
  const { error } = await judged(validations({ expression: "false", message: "the message", reason: "Forbidden" }));
  assert.equal(error?.code, 403);
  assert.equal(error?.reason, "Forbidden");
  assert.match(error?.message ?? "", /denied request: the message$/);
});

test("a message expression is used if it gives one line, else the message", async () => {
  const told = (messageExpression: string) =>
    denial(validations({ expression: "false", message: "m", messageExpression }));
  assert.equal(await told("'name is ' + object.metadata.name"), "name is c");
  assert.equal(await told("'a\\nb'"), "m");
  assert.equal(await told("object.nope"), "m");
});

test("a failing expression denies unless failures are ignored", async () => {
  const spec = validations("object.data.x == 'y'");
  assert.equal(await denial(spec), "expression 'object.data.x == 'y'' resulted in error: no such key: data");
  assert.equal(await denial({ ...spec, failurePolicy: "Ignore" }), undefined);
});

test("variables may use those before them and fail where they are used", async () => {
  const variables = [
    { name: "name", expression: "object.metadata.name" },
    { name: "twice", expression: "variables.name + variables.name" },
    { name: "bad", expression: "object.zzz" },
  ];
  assert.equal(await denial({ variables, ...validations("variables.twice == 'cc'") }), undefined);
  assert.equal(
    await denial({ variables, ...validations("variables.bad == 1") }),
    `expression 'variables.bad == 1' resulted in error: composited variable "bad" fails to evaluate: no such key: zzz`,
  );
});

test("a binding may warn instead of denying", async () => {
  const warned = await judged(validations({ expression: "false", message: "careful" }), {
    validationActions: ["Warn", "Audit"],
  });
  assert.equal(warned.error, undefined);
  assert.deepEqual(warned.warnings, ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': careful"]);
});

test("parameters come by name or by selector", async () => {
  const spec = {
    ...PARAMS,
    ...validations({ expression: "int(params.data.max) > 2", messageExpression: "'max ' + params.data.max" }),
  };
  assert.equal(await denial(spec, { paramRef: { name: "params", parameterNotFoundAction: "Deny" } }), "max 2");
  const selector = { matchLabels: { p: "1" } };
  assert.equal(await denial(spec, { paramRef: { selector, parameterNotFoundAction: "Deny" } }), "max 2");
});

test("missing parameters deny or not, as the binding says; without a reference they are null", async () => {
  const spec = { ...PARAMS, ...validations("false") };
  assert.equal(
    await denial(spec, { paramRef: { name: "nope", parameterNotFoundAction: "Deny" } }),
    "failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction",
  );
  assert.equal(await denial(spec, { paramRef: { name: "nope", parameterNotFoundAction: "Allow" } }), undefined);
  assert.equal(await denial({ ...PARAMS, ...validations("params == null") }), undefined);
});

test("parameters of a kind that is not served are a fault of the policy", async () => {
  const paramKind = { apiVersion: "zz.example.com/v1", kind: "Foo" };
  const { error } = await judged({ paramKind, ...validations("true") }, { paramRef: { name: "x" } });
  assert.match(
    error?.message ?? "",
    /ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'zz.example.com\/v1, Kind=Foo'$/,
  );
});

test("expressions see the namespace, the request and the authorizer", async () => {
  const holds = async (expression: string): Promise<void> =>
    assert.equal(await denial(validations(expression)), undefined, expression);
  await holds("namespaceObject.metadata.labels['team'] == 'a' && namespaceObject.status.phase == 'Active'");
  await holds("request.namespace == 'ns' && request.resource.resource == 'configmaps' && !request.dryRun");
  await holds("request.userInfo.username == 'alice' && 'system:authenticated' in request.userInfo.groups");
  await holds("!has(request.subResource) && oldObject == null");
  await holds("authorizer.requestResource.check('create').allowed()");
  await holds("!authorizer.group('').resource('pods').check('get').allowed()");
  await holds("authorizer.serviceAccount('ns', 'robot').group('').resource('pods').check('get').reason() == 'because'");
});

test("match conditions and the binding's own rules narrow what is judged", async () => {
  const never = validations("false");
  assert.equal(await denial({ ...never, matchConditions: [{ name: "a", expression: "false" }] }), undefined);
  const failing = [{ name: "a", expression: "object.data.x == 'y'" }];
  assert.equal(
    await denial({ ...never, matchConditions: failing }),
    "expression 'object.data.x == 'y'' resulted in error: no such key: data",
  );
  const matchResources = { namespaceSelector: { matchLabels: { team: "b" } } };
  assert.equal(await denial(never, { matchResources }), undefined);
  const excludeResourceRules = [
    { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
  ];
  assert.equal(await denial(never, { matchResources: { excludeResourceRules } }), undefined);
  const resourceRules = [
    { resourceNames: ["other"], operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] },
  ];
  assert.equal(await denial(never, { matchResources: { resourceRules } }), undefined);
});

test("a policy that changes is in force at once", async () => {
  const { cluster, plugin, enact } = await world();
  await enact(validations("false"));
  const attempt = async (): Promise<void> => plugin.validate?.(attributesFor(configMaps, "CREATE", configMap()));
  await assert.rejects(attempt());
  await cluster.edit(policies, "", "p", (o) => void ((o.spec as JsonObject).validations = [{ expression: "true" }]));
  await attempt();
});

test("an expression that costs too much fails", async () => {
  const list = `[${Array.from({ length: 100 }, (_, n) => n).join(",")}]`;
  const costly = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  assert.match(
    (await denial(validations(costly))) ?? "",
    /resulted in error: operation cancelled: actual cost limit exceeded$/,
  );
});

test("what configures admission and reviews are exempt", async () => {
  const { plugin, enact } = await world();
  await enact(validations("false"));
  const own: KubeObject = { apiVersion: `${GROUP}/v1`, kind: "ValidatingAdmissionPolicy", metadata: { name: "p" } };
  await plugin.validate?.(attributesFor(policies, "UPDATE", own));
  const reviews = fakeResource("TokenReview", { group: "authentication.k8s.io", namespaced: false });
  await plugin.validate?.(attributesFor(reviews, "CREATE", { ...own, kind: "TokenReview" }));
});
