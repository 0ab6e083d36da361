import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import { asker } from "./ask.ts";
import type { Ask, Question } from "./ask.ts";
import { DEFINITIONS, collection, custom, definition } from "./widgets.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const WIDGETS = collection("widgets");
const YAML = "application/yaml";
const APPLY = "application/apply-patch+yaml";
const JSON_PATCH = "application/json-patch+json";
const unrecognized = "the object provided is unrecognized (must be of type ConfigMap): ";
const SCHEME = 'in scheme "pkg/runtime/scheme.go:111"';

/** A request, and the code and message with which kube-apiserver 1.36 answers it. */
type Case = readonly [method: string, path: string, question: Question, status: number, message: string];

const CASES: readonly Case[] = [
  [
    "POST",
    MAPS,
    { body: "" },
    400,
    `${unrecognized}couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)`,
  ],
  [
    "POST",
    MAPS,
    { body: "null" },
    422,
    'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  ],
  [
    "POST",
    MAPS,
    { body: "a: b: c", type: YAML },
    400,
    `${unrecognized}yaml: mapping values are not allowed in this context (613a20623a2063)`,
  ],
  [
    "POST",
    MAPS,
    { body: "{}", type: ";;;" },
    415,
    "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
  ],
  [
    "POST",
    MAPS,
    { body: { kind: "Foo", apiVersion: "v1" } },
    400,
    `Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" ${SCHEME}`,
  ],
  [
    "POST",
    MAPS,
    { body: { kind: "ConfigMap", apiVersion: "apps/v1" } },
    400,
    `ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1" ${SCHEME}`,
  ],
  [
    "POST",
    `${MAPS}?fieldManager=%00`,
    { body: {} },
    422,
    String.raw`CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "\x00": invalid character U+0000 (at position 0)`,
  ],
  [
    "POST",
    WIDGETS,
    { body: "null" },
    400,
    "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in 'null' (6e756c6c)",
  ],
  [
    "POST",
    WIDGETS,
    { body: { kind: "Widget", apiVersion: null } },
    400,
    'Widget in version "" cannot be handled as a Widget: .apiVersion accessor error: <nil> is of the type <nil>, expected string',
  ],
  ["POST", `${MAPS}/x`, { body: {} }, 405, "the server does not allow this method on the requested resource"],
  ["POST", "/api/v1/configmaps", { body: {} }, 405, "the server does not allow this method on the requested resource"],
  ["GET", "/api/v1/configmaps/x", {}, 404, "the server could not find the requested resource"],
  ["GET", "/api/v1/nope", {}, 404, "the server could not find the requested resource"],
  ["GET", "/version/nope", {}, 404, "the server could not find the requested resource"],
  ["GET", "/apis/apps/v9", {}, 404, "the server could not find the requested resource"],
  ["GET", "/apis/authentication.k8s.io/v1/tokenreviews/x", {}, 404, "the server could not find the requested resource"],
  [
    "GET",
    "/apis/authentication.k8s.io/v1/tokenreviews",
    {},
    405,
    "the server does not allow this method on the requested resource",
  ],
  [
    "GET",
    "/api/v1/namespaces/default/finalize",
    {},
    405,
    "the server does not allow this method on the requested resource",
  ],
  ["TRACE", WIDGETS, {}, 405, ' is not supported on resources of kind "widgets.hard.example.com"'],
  [
    "GET",
    `${MAPS}?continue=foo`,
    {},
    400,
    "invalid continue token: continue key is not valid: invalid character '~' looking for beginning of value",
  ],
  [
    "GET",
    `${MAPS}?continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets"}').toString("base64url")}`,
    {},
    400,
    "invalid continue token: continue key is not valid: ../../secrets",
  ],
  [
    "GET",
    MAPS,
    { headers: { accept: "application/json;as=Table;v=v9;g=meta.k8s.io" } },
    406,
    "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
  ],
  [
    "DELETE",
    `${MAPS}/kept`,
    { body: "[]" },
    400,
    String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  ],
  [
    "DELETE",
    `${MAPS}/kept`,
    { body: { gracePeriodSeconds: "x" } },
    400,
    "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64",
  ],
  [
    "DELETE",
    `${MAPS}/kept`,
    { body: { dryRun: "All" } },
    400,
    "json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string",
  ],
  [
    "DELETE",
    `${MAPS}/kept`,
    { body: { preconditions: { uid: 3 } } },
    400,
    "json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID",
  ],
  [
    "DELETE",
    `${MAPS}/kept`,
    { body: { kind: "Foo", apiVersion: "v1" } },
    400,
    `no kind "Foo" is registered for version "v1" ${SCHEME}`,
  ],
  [
    "DELETE",
    `${MAPS}/kept`,
    { body: { propagationPolicy: "Orphan", orphanDependents: true } },
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  ],
  ["DELETE", `${MAPS}/kept?gracePeriodSeconds=x`, {}, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  [
    "PATCH",
    `${MAPS}/kept`,
    { body: { metadata: { uid: "x" } } },
    422,
    'ConfigMap "kept" is invalid: metadata.uid: Invalid value: "x": field is immutable',
  ],
  [
    "PATCH",
    `${MAPS}/kept`,
    { body: { apiVersion: null } },
    400,
    "the name of the object (kept based on URL) was undeterminable: name must be provided",
  ],
  [
    "PATCH",
    `${MAPS}/kept`,
    { type: JSON_PATCH, body: [{ op: "replace", path: "", value: {} }] },
    400,
    "the name of the object (kept based on URL) was undeterminable: name must be provided",
  ],
  ["PATCH", `${MAPS}/nope`, { body: "{" }, 404, 'configmaps "nope" not found'],
  [
    "PATCH",
    `${WIDGETS}/kept`,
    { body: { kind: "Z" } },
    422,
    'Z.hard.example.com "kept" is invalid: kind: Invalid value: "Z": must be Widget',
  ],
  [
    "PATCH",
    `${MAPS}/kept`,
    { type: APPLY, body: "{}" },
    422,
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ],
  [
    "POST",
    "/api/v1/namespaces/default/serviceaccounts/default/token",
    { body: { kind: "Foo", apiVersion: "v1" } },
    400,
    `Foo in version "v1" cannot be handled as a TokenRequest: no kind "Foo" is registered for version "v1" ${SCHEME}`,
  ],
  [
    "POST",
    "/api/v1/namespaces/default/pods/x/eviction",
    { body: {} },
    400,
    "name in URL does not match name in Eviction object",
  ],
  [
    "PUT",
    "/apis/apps/v1/namespaces/default/deployments/x/scale",
    { body: {} },
    400,
    "the name of the object (x based on URL) was undeterminable: name must be provided",
  ],
];

describe("bad input is answered as kube-apiserver does", () => {
  let server: ApiServer;
  let ask: Ask;
  before(async () => {
    server = await createApiServer();
    ask = asker(server.transport());
    await ask("POST", DEFINITIONS, {
      body: definition("widgets", { type: "object", "x-kubernetes-preserve-unknown-fields": true }),
    });
    await server.idle();
    await ask("POST", MAPS, { body: { metadata: { name: "kept" } } });
    await ask("POST", WIDGETS, { body: custom("Widget", "kept") });
  });
  after(() => server.close());

  for (const [method, path, question, status, message] of CASES) {
    const shown = typeof question.body === "string" ? question.body : JSON.stringify(question.body ?? "");
    test(`${method} ${path.slice(0, 90)} ${shown.slice(0, 60)}`, async () => {
      const answer = await ask(method, path, question);
      assert.deepEqual([answer.status, answer.body["message"]], [status, message]);
      assert.equal(answer.body["kind"], "Status");
      assert.equal(answer.body["code"], status);
    });
  }

  test("what a patch makes of kind or apiVersion never reaches the store", async () => {
    for (const change of [{ apiVersion: "v9" }, { apiVersion: "apps/v1" }, { kind: "Secret" }]) {
      assert.equal((await ask("PATCH", `${MAPS}/kept`, { body: change })).status, 422);
      const strategic = await ask("PATCH", `${MAPS}/kept`, {
        body: change,
        type: "application/strategic-merge-patch+json",
      });
      assert.deepEqual(
        [strategic.status, strategic.body["kind"], strategic.body["apiVersion"]],
        [200, "ConfigMap", "v1"],
      );
    }
    const items = (await ask("GET", MAPS)).body["items"] as { metadata: { name: string } }[];
    assert.ok(items.some((item) => item.metadata.name === "kept"));
  });

  test("text that is no text is made text, and numbers that are no numbers are refused", async () => {
    const odd = await ask("POST", MAPS, { body: String.raw`{"metadata":{"name":"odd"},"data":{"a":"\ud800x"}}` });
    assert.deepEqual(odd.body["data"], { a: "\ufffdx" });
    const bytes = Buffer.concat([
      Buffer.from('{"metadata":{"name":"bytes"},"data":{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]);
    assert.deepEqual((await ask("POST", MAPS, { body: bytes })).body["data"], { a: "\ufffd\ufffd" });
    const huge = `{"apiVersion":"hard.example.com/v1","kind":"Widget","metadata":{"name":"huge"},"spec":{"n":1e400}}`;
    assert.equal((await ask("POST", WIDGETS, { body: huge })).status, 400);
  });

  test("nesting is refused before it hurts", async () => {
    const deep = (depth: number): string => `{"metadata":{"name":"deep"},"x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    assert.equal((await ask("POST", `${MAPS}?dryRun=All`, { body: deep(900) })).status, 201);
    for (const body of [deep(2_000), deep(100_000), "[".repeat(1_000_000)])
      assert.equal((await ask("POST", MAPS, { body })).status, 400);
    assert.equal((await ask("POST", MAPS, { body: "[".repeat(20_000), type: YAML })).status, 400);
  });
});
