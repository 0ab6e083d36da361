import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../json/json.ts";
import { StatusError } from "../status.ts";
import { builtinType, typeOfDefinition } from "./builtin-type.ts";
import { decodeBuiltin } from "./decode.ts";

const kinds: Readonly<Record<string, readonly [string, string]>> = {
  Deployment: ["apps", "v1"],
  ConfigMap: ["", "v1"],
  Secret: ["", "v1"],
  Pod: ["", "v1"],
  Event: ["", "v1"],
  Role: ["rbac.authorization.k8s.io", "v1"],
  CustomResourceDefinition: ["apiextensions.k8s.io", "v1"],
};

function decode(kind: string, body: JsonObject): ReturnType<typeof decodeBuiltin> {
  return decodeBuiltin(body, builtinType(...kinds[kind]!, kind)!);
}

function refusal(kind: string, body: JsonObject): string {
  try {
    decode(kind, body);
  } catch (error) {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, 400);
    const prefix = `${kind} in version "v1" cannot be handled as a ${kind}: `;
    assert.ok(error.message.startsWith(prefix), error.message);
    return error.message.slice(prefix.length);
  }
  return assert.fail(`${kind} was decoded`);
}

const pod = (container: JsonObject): JsonObject => ({ metadata: { name: "a" }, spec: { containers: [container] } });

test("undeclared fields are dropped and told in the order of the body", () => {
  const { object, problems } = decode("Deployment", {
    zzz: 1,
    metadata: { name: "a", foo: 1 },
    spec: { template: { spec: { bar: [], containers: [{ name: "c", zork: { a: 1 } }] } } },
    status: { foo: 1 },
  });
  assert.deepEqual(problems, [
    'unknown field "zzz"',
    'unknown field "metadata.foo"',
    'unknown field "spec.template.spec.bar"',
    'unknown field "spec.template.spec.containers[0].zork"',
    'unknown field "status.foo"',
  ]);
  assert.deepEqual(object.metadata, { name: "a" });
});

test("a bare object comes out with its kind, and with the empty structs that the server always writes", () => {
  const deployment = decode("Deployment", { metadata: { name: "a", labels: {}, finalizers: [] } });
  assert.equal(
    JSON.stringify(deployment.object),
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"a"},"spec":{"selector":null,' +
      '"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}},"status":{}}',
  );
  const event = decode("Event", { involvedObject: {} });
  assert.equal(
    JSON.stringify(event.object),
    '{"kind":"Event","apiVersion":"v1","metadata":{},"involvedObject":{},"source":{},"firstTimestamp":null,' +
      '"lastTimestamp":null,"eventTime":null,"reportingComponent":"","reportingInstance":""}',
  );
  assert.equal(decode("Role", {}).object["rules"], null);
});

test("fields come out in the server's order and map keys sorted", () => {
  const { object } = decode("ConfigMap", {
    data: { b: "1", a: "2", __proto__x: "3" },
    metadata: {},
    kind: "ConfigMap",
  });
  assert.equal(
    JSON.stringify(object),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"__proto__x":"3","a":"2","b":"1"}}',
  );
});

test("a key named __proto__ is data", () => {
  const data = JSON.parse('{"data":{"__proto__":"x","constructor":"y"}}') as JsonObject;
  assert.equal(JSON.stringify(decode("ConfigMap", data).object["data"]), '{"__proto__":"x","constructor":"y"}');
});

test("null is absent for a field and empty for an item or a map value", () => {
  const { object } = decode("ConfigMap", {
    metadata: { name: "a", labels: { b: null, a: "x" }, ownerReferences: [null] },
    data: null,
    immutable: null,
  });
  assert.deepEqual(object, {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: "a",
      labels: { a: "x", b: "" },
      ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }],
    },
  });
});

test("zero values stay only where absent means something else", () => {
  const { object } = decode("Pod", { spec: { priority: 0, hostNetwork: false, nodeSelector: {}, containers: [] } });
  assert.deepEqual(object["spec"], { containers: [], priority: 0 });
});

test("quantities, times and base64 come out in canonical form", () => {
  const limits = { cpu: "1000m", memory: 0.5, "x.com/y": "01.50" };
  const { object } = decode("Pod", pod({ name: "c", resources: { limits } }));
  const [container] = (object["spec"] as JsonObject)["containers"] as JsonObject[];
  assert.deepEqual(container!["resources"], { limits: { cpu: "1", memory: "500m", "x.com/y": "1500m" } });
  const event = decode("Event", {
    firstTimestamp: "2020-01-01T00:00:00.7+02:00",
    eventTime: "2020-01-01T00:00:00.123456-01:00",
  }).object;
  assert.equal(event["firstTimestamp"], "2019-12-31T22:00:00Z");
  assert.equal(event["eventTime"], "2020-01-01T01:00:00.123456Z");
  const secret = decode("Secret", { data: { x: "YW\nJj", y: "YWJjYR==", z: null } }).object;
  assert.deepEqual(secret["data"], { x: "YWJj", y: "YWJjYQ==", z: "" });
});

test("a value of the wrong type is refused in the words of the server's decoder", () => {
  const replicas = (value: Json): string => refusal("Deployment", { spec: { replicas: value } });
  const into = "into Go struct field DeploymentSpec.spec.replicas of type int32";
  assert.equal(replicas("x"), `json: cannot unmarshal string ${into}`);
  assert.equal(replicas(1.5), `json: cannot unmarshal number 1.5 ${into}`);
  assert.equal(replicas(3_000_000_000), `json: cannot unmarshal number 3000000000 ${into}`);
  assert.equal(replicas([1]), `json: cannot unmarshal array ${into}`);
  assert.equal(
    refusal("Pod", pod({ name: 1 })),
    "json: cannot unmarshal number into Go struct field Container.spec.containers.name of type string",
  );
  assert.equal(
    refusal("Pod", pod({ livenessProbe: { httpGet: { path: 5 } } })),
    "json: cannot unmarshal number into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.path of type string",
  );
  assert.equal(
    refusal("Pod", pod({ resources: { limits: [] } })),
    "json: cannot unmarshal array into Go struct field ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList",
  );
  assert.equal(
    refusal("Pod", { spec: { restartPolicy: 5 } }),
    "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy",
  );
});

test("a malformed quantity or time is told before a wrong type that stands earlier", () => {
  const told = refusal("Pod", pod({ name: 1, resources: { limits: { cpu: "x" } } }));
  assert.match(told, /^quantities must match the regular expression/);
  assert.equal(
    refusal("Pod", { metadata: { name: 5, creationTimestamp: "x" } }),
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  );
});

test("times are refused as Go refuses them", () => {
  const time = (text: string): string =>
    refusal("Event", { firstTimestamp: text }).replace(/^parsing time "[^"]*"/, "");
  const layout = ' as "2006-01-02T15:04:05Z07:00": cannot parse';
  assert.equal(time("2020-13-01T00:00:00Z"), ": month out of range");
  assert.equal(time("2020-02-30T00:00:00Z"), ": day out of range");
  assert.equal(time("2020-01-01T00:00:00Zfoo"), ': extra text: "foo"');
  assert.equal(time("2020-01-01"), `${layout} "" as "T"`);
  assert.equal(time("2020-01-01T00:00:00.Z"), `${layout} ".Z" as "Z07:00"`);
  assert.equal(time("2020-01-01T00:00:00+25:00"), ": time zone offset hour out of range");
  assert.equal(
    refusal("Event", { eventTime: "2020-01-01T00:00:00.12345Z" }),
    'parsing time "2020-01-01T00:00:00.12345Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".12345Z" as ".000000"',
  );
});

test("base64 is refused with the offset of the first wrong byte", () => {
  const offsets: Readonly<Record<string, number>> = {
    "%%%": 0,
    YQ: 0,
    "YWJj%": 4,
    YWJjYQ: 4,
    "YWJjYQ=": 7,
    "YWJjYQ==x": 8,
    "=": 0,
    "YW=j": 2,
    "YQ===": 4,
    "YWJj=": 4,
    "Y%==": 1,
    "YW\nJj%": 5,
  };
  for (const [text, offset] of Object.entries(offsets)) {
    assert.equal(refusal("Secret", { data: { x: text } }), `illegal base64 data at input byte ${offset}`, text);
  }
});

test("schemas inside a CRD are read as schemas, and their free values keep their shape", () => {
  const schema = (property: JsonObject): JsonObject => ({
    spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: property } } } }] },
  });
  const read = (property: JsonObject): Json => {
    const { object, problems } = decode("CustomResourceDefinition", schema(property));
    assert.deepEqual(problems, []);
    const [version] = (object["spec"] as JsonObject)["versions"] as JsonObject[];
    const root = (version!["schema"] as JsonObject)["openAPIV3Schema"] as JsonObject;
    return (root["properties"] as JsonObject)["a"]!;
  };
  assert.deepEqual(read({ additionalProperties: { type: "string", zork: 1 } }), {
    additionalProperties: { type: "string" },
  });
  assert.deepEqual(read({ items: [{ type: "string" }], additionalProperties: false }), {
    items: [{ type: "string" }],
    additionalProperties: false,
  });
  assert.equal(
    JSON.stringify(read({ default: { z: 1, a: 2 }, enum: [null, 1] })),
    '{"default":{"a":2,"z":1},"enum":[null,1]}',
  );
  assert.equal(
    refusal("CustomResourceDefinition", schema({ additionalProperties: 5 })),
    "boolean or JSON schema expected",
  );
  assert.deepEqual(decode("CustomResourceDefinition", schema({ zork: 1 })).problems, [
    'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.zork"',
  ]);
});

test("request options are read without a kind of their own", () => {
  const type = typeOfDefinition("meta.v1.DeleteOptions");
  const { object, problems } = decodeBuiltin({ propagationPolicy: "Background", preconditions: { uid: "" } }, type);
  assert.deepEqual(problems, []);
  assert.equal(object["propagationPolicy"], "Background");
  assert.deepEqual(object["preconditions"], { uid: "" });
  assert.throws(() => decodeBuiltin({ gracePeriodSeconds: "x" }, type), {
    message: "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
  });
});
