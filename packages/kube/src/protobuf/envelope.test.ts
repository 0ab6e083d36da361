import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { builtinType, decodeBuiltin, typeOfDefinition } from "../builtin/index.ts";
import { table } from "../builtin/table.ts";
import type { JsonObject } from "../json/json.ts";
import { StatusError } from "../status.ts";
import { decodeProtobuf, decodeProtobufAs } from "./envelope.ts";

const configMap = { group: "", version: "v1", kind: "ConfigMap" };

/** Bodies that kubectl 1.36 sent, and what they mean. */
const captured: readonly (readonly [string, string])[] = [
  [
    "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEjcKHQoEY3YzNhIAGglidWlsdGluLXQiACoAMgA4AEIAEg4KCV9fcHJvdG9fXxIBeBIGCgFhEgFiGgAiAA==",
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"cv36","namespace":"builtin-t"},"data":{"__proto__":"x","a":"b"}}',
  ],
  [
    "azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EsUBCioKBGR2MzYSABoJYnVpbHRpbi10IgAqADIAOABCAFoLCgNhcHASBGR2MzYSiAEIAhINCgsKA2FwcBIEZHYzNhptCh0KABIAGgAiACoAMgA4AEIAWgsKA2FwcBIEZHYzNhJMEi4KBW5naW54EgVuZ2lueCoAMgoKABAAGFAiACoAQgBqAHIAgAEAiAEAkAEAogEAGgAyAEIASgBSAFgAYABoAIIBAIoBAJoBAMIBACICCgAoADgAGgwIABAAGAAgACgAOAAaACIA",
    '{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"dv36","namespace":"builtin-t","labels":{"app":"dv36"}},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"dv36"}},"template":{"metadata":{"labels":{"app":"dv36"}},"spec":{"containers":[{"name":"nginx","image":"nginx","ports":[{"containerPort":80}],"resources":{}}]}},"strategy":{}},"status":{}}',
  ],
  [
    "azhzAAoNCgJ2MRIHU2VydmljZRJ+Ci4KBnN2Y3YzNhIAGglidWlsdGluLXQiACoAMgA4AEIAWg0KA2FwcBIGc3ZjdjM2EkgKHgoHODAtaHR0cBIDVENQGFAiCggBEAAaBGh0dHAoABINCgNhcHASBnN2Y3YzNhoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==",
    '{"kind":"Service","apiVersion":"v1","metadata":{"name":"svcv36","namespace":"builtin-t","labels":{"app":"svcv36"}},"spec":{"ports":[{"name":"80-http","protocol":"TCP","port":80,"targetPort":"http"}],"selector":{"app":"svcv36"},"type":"ClusterIP"},"status":{"loadBalancer":{}}}',
  ],
  [
    "azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRJACh0KBHF2MzYSABoJYnVpbHRpbi10IgAqADIAOABCABIdCg4KA2NwdRIHCgUxNTAwbQoLCgRwb2RzEgMKATMaABoAIgA=",
    '{"kind":"ResourceQuota","apiVersion":"v1","metadata":{"name":"qv36","namespace":"builtin-t"},"spec":{"hard":{"cpu":"1500m","pods":"3"}},"status":{}}',
  ],
  [
    "azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSQgodCgRwdjM2EgAaCWJ1aWx0aW4tdCIAKgAyADgAQgASFQoJCAEQABoDNTAlEggKBgoBYRIBYhoKCAAYACAAKAAwABoAIgA=",
    '{"kind":"PodDisruptionBudget","apiVersion":"policy/v1","metadata":{"name":"pv36","namespace":"builtin-t"},"spec":{"minAvailable":"50%","selector":{"matchLabels":{"a":"b"}}},"status":{"disruptionsAllowed":0,"currentHealthy":0,"desiredHealthy":0,"expectedPods":0}}',
  ],
  [
    "azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSPwoQCgASABoAIgAqADIAOABCABIhCh8KCWJ1aWx0aW4tdBIEbGlzdBoAIgAqBHBvZHMyADoAGggIABIAGgAgABoAIgA=",
    '{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{"resourceAttributes":{"namespace":"builtin-t","verb":"list","resource":"pods"}},"status":{"allowed":false}}',
  ],
];

test("bodies that kubectl sends decode to the JSON that the server would show", () => {
  for (const [base64, json] of captured) {
    const { object, apiVersion, kind } = decodeProtobuf(Buffer.from(base64, "base64"), { kind: "Any" });
    assert.equal(JSON.stringify(object), json);
    assert.deepEqual([apiVersion, kind], [object["apiVersion"], object["kind"]]);
  }
});

const samples = join(
  process.env["GOMODCACHE"] ?? join(homedir(), "go", "pkg", "mod"),
  "k8s.io/api@v0.36.4/testdata/HEAD",
);

test(
  "every kind's fully set sample of Kubernetes' own test data decodes, from JSON and protobuf, to its JSON",
  { skip: !existsSync(samples) && "k8s.io/api v0.36.4 is not in the Go module cache" },
  () => {
    let seen = 0;
    for (const { gvk } of Object.values(table.definitions)) {
      const [group, version, kind] = gvk ?? [];
      if (group === undefined || version === undefined || kind === undefined || kind === "WatchEvent") continue;
      const path = join(samples, `${group || "core"}.${version}.${kind}`);
      if (!existsSync(`${path}.pb`)) continue;
      const json = JSON.parse(readFileSync(`${path}.json`, "utf8")) as JsonObject;
      const fromJson = decodeBuiltin(json, builtinType(group, version, kind)!);
      assert.deepEqual(fromJson.problems, []);
      assert.equal(JSON.stringify(fromJson.object), JSON.stringify(json), kind);
      const fromProtobuf = decodeProtobuf(readFileSync(`${path}.pb`), { group, version, kind }).object;
      assert.equal(JSON.stringify(fromProtobuf), JSON.stringify(json), kind);
      seen++;
    }
    assert.ok(seen > 50, `${seen} samples`);
  },
);

function body(...bytes: readonly (string | number)[]): Buffer {
  return Buffer.concat([
    Buffer.from("k8s\0"),
    ...bytes.map((b) => (typeof b === "string" ? Buffer.from(b) : Buffer.from([b]))),
  ]);
}

const typeMeta = (kind: string): string => {
  const inner = `\x0a\x02v1\x12${String.fromCharCode(kind.length)}${kind}`;
  return `\x0a${String.fromCharCode(inner.length)}${inner}`;
};

function refusal(bytes: Uint8Array): string {
  try {
    decodeProtobuf(bytes, configMap);
  } catch (error) {
    assert.ok(error instanceof StatusError);
    assert.equal(error.code, 400);
    return error.message;
  }
  return assert.fail("was decoded");
}

test("bytes that are no protobuf are refused with the server's words", () => {
  const must = "the object provided is unrecognized (must be of type ConfigMap): ";
  assert.equal(refusal(new Uint8Array()), `${must}empty data (<empty>)`);
  assert.equal(
    refusal(Buffer.from("abc")),
    `${must}provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (616263)`,
  );
  assert.equal(refusal(body()), `${must}empty body (6b387300)`);
  assert.equal(refusal(body(0xff)), `${must}unexpected EOF (6b387300ff)`);
  const handled = 'ConfigMap in version "v1" cannot be handled as a ConfigMap: ';
  const message = (...raw: readonly (string | number)[]): string =>
    refusal(body(typeMeta("ConfigMap"), 0x12, raw.length, ...raw));
  assert.equal(message(0xff), `${handled}unexpected EOF`);
  assert.equal(message(0x08, 0x01), `${handled}proto: wrong wireType = 0 for field ObjectMeta`);
  assert.equal(message(0x0c, 0x01), `${handled}proto: ConfigMap: wiretype end group for non-group`);
  assert.equal(message(0x00, 0x01), `${handled}proto: ConfigMap: illegal tag 0 (wire type 0)`);
  assert.equal(message(...new Array<number>(10).fill(0xff), 1), `${handled}proto: integer overflow`);
  assert.equal(message(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), `${handled}unexpected EOF`);
  assert.equal(
    refusal(body(typeMeta("ConfigZap"), 0x12, 0)),
    'ConfigZap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigZap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  );
});

test("a body without type metadata is of the expected kind, and unknown fields are passed over", () => {
  const bytes = body(0x12, 9, 0x0a, 3, 0x0a, 1, "a", 0xa2, 0x06, 1, "x");
  const { object, kind } = decodeProtobuf(bytes, configMap);
  assert.equal(kind, "ConfigMap");
  assert.deepEqual(object["metadata"], { name: "a" });
});

test("delete options are a kind of every group", () => {
  const sent = "azhzAAoYCgdhcHBzL3YxEg1EZWxldGVPcHRpb25zEgwiCkZvcmVncm91bmQaACIA";
  assert.deepEqual(decodeProtobuf(Buffer.from(sent, "base64"), { kind: "DeleteOptions" }).object, {
    kind: "DeleteOptions",
    apiVersion: "apps/v1",
    propagationPolicy: "Foreground",
  });
});

test("delete options are read whatever the envelope calls them", () => {
  const bytes = body(0x12, 18, 0x08, 0x05, 0x22, 10, "Foreground", 0x12, 0x02, 0x0a, 0x00);
  const options = decodeProtobufAs(bytes, typeOfDefinition("meta.v1.DeleteOptions"));
  assert.deepEqual(options, { gracePeriodSeconds: 5, preconditions: { uid: "" }, propagationPolicy: "Foreground" });
});

test("schemas nested without end are refused before the stack is", () => {
  let raw: Buffer = Buffer.alloc(0);
  const wrap = (tag: number, inner: Buffer): Buffer => {
    const length: number[] = [];
    for (let n = inner.length; ; n >>>= 7) {
      length.push(n > 127 ? (n & 127) | 128 : n);
      if (n <= 127) break;
    }
    return Buffer.concat([Buffer.from([tag, ...length]), inner]);
  };
  // spec.versions[].schema.openAPIV3Schema.not.not…: fields 2, 7, 4, 1, 28.
  for (let i = 0; i < 5000; i++) raw = Buffer.concat([Buffer.from([0xe2, 0x01]), wrap(0, raw).subarray(1)]);
  for (const tag of [0x0a, 0x22, 0x3a, 0x12]) raw = wrap(tag, raw);
  const inner = Buffer.concat([Buffer.from("k8s\0"), wrap(0x12, raw)]);
  const crd = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  assert.throws(() => decodeProtobuf(inner, crd), /nested too deeply/);
});

test("JSON inside a message nests no deeper than a body may", () => {
  const deep = Buffer.from("[".repeat(3000) + "]".repeat(3000));
  const extension = Buffer.concat([Buffer.from([0x0a, 0xf0, 0x2e]), deep]); // RawExtension.raw, 6000 bytes
  const data = Buffer.concat([Buffer.from([0x12, 0xf3, 0x2e]), extension]);
  const bytes = Buffer.concat([Buffer.from("k8s\0"), Buffer.from([0x12, 0xf6, 0x2e]), data]);
  const revision = { group: "apps", version: "v1", kind: "ControllerRevision" };
  assert.throws(() => decodeProtobuf(bytes, revision), /exceeded max depth/);
});

test("damaged bytes are refused with 400, never with anything else", () => {
  const bodies = captured.map(([base64]) => Buffer.from(base64, "base64"));
  const damage = fc.record({
    body: fc.constantFrom(...bodies),
    changes: fc.array(fc.record({ at: fc.nat(400), byte: fc.nat(255) }), { minLength: 1, maxLength: 4 }),
    cut: fc.nat(400),
  });
  fc.assert(
    fc.property(damage, ({ body: whole, changes, cut }) => {
      const bytes = Buffer.from(whole.subarray(0, Math.max(4, whole.length - (cut % whole.length))));
      for (const { at, byte } of changes) bytes[4 + (at % Math.max(1, bytes.length - 4))] = byte;
      try {
        decodeProtobuf(bytes, configMap);
      } catch (error) {
        assert.ok(error instanceof StatusError && error.code === 400, String(error));
      }
    }),
    { numRuns: 500 },
  );
});
