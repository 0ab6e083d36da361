import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { nextTurn } from "@gatewright/ports";
import type { Json } from "@gatewright/kube";
import type { FetchJson } from "../../outbound/fetch-json.ts";
import { madeAround, madeCall, textOf } from "../testing/made-call.ts";
import type { CallParts } from "../testing/made-call.ts";
import { openapiFilter } from "./openapi-filter.ts";
import type { OpenapiSpec } from "./openapi-filter.ts";

const DOCUMENT = `
openapi: 3.0.3
info: {title: t, version: "1"}
servers: [{url: "https://api.example/v1/"}]
paths:
  /users:
    get:
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 0, exclusiveMinimum: true}}
        - {name: tag, in: query, schema: {type: array, items: {type: string, pattern: "^[a-z]+$"}, maxItems: 2}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: X-Tenant, in: header, required: true, schema: {type: string, format: uuid}}
        - {name: filter, in: query, style: deepObject, schema: {type: object}}
    post:
      security: [{key: [], token: []}, {none: []}]
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: "#/components/schemas/User"}}
          text/*: {}
  /users/me: {get: {}}
  /users/{id}:
    parameters: [{$ref: "#/components/parameters/Id"}]
    get: {}
    delete: {security: [{token: []}]}
  /files/{name}.json: {get: {}}
components:
  parameters:
    Id: {name: id, in: path, required: true, schema: {type: integer}}
  schemas:
    User:
      type: object
      required: [id, name]
      additionalProperties: false
      properties:
        id: {type: integer, readOnly: true}
        name: {type: string, minLength: 1}
        nick: {type: string, nullable: true}
        friends: {type: array, items: {$ref: "#/components/schemas/User"}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    token: {type: http, scheme: bearer}
    none: {type: mutualTLS}
`;
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };
const noFetch: FetchJson = () => Promise.reject(new Error("there is no network"));
const readFile = (path: string): string => {
  if (path === "api.yaml") return DOCUMENT;
  throw new Error("no such file");
};

async function asked(parts: CallParts, spec: OpenapiSpec = {}) {
  const around = madeAround();
  const filter = openapiFilter(
    { enabled: true, specInline: DOCUMENT, ...spec },
    { ...around, readFile, fetchJson: noFetch },
  );
  const call = madeCall(parts);
  const answer = await filter?.request?.(call);
  const text = await textOf(answer === undefined ? call.body : answer.body);
  return { status: answer?.status, text, flag: call.trail.flag, notes: around.notes, answer };
}

const post = (body: string | Buffer, fields: Record<string, string> = JSON_TYPE): CallParts => ({
  method: "POST",
  target: "/users",
  fields,
  body,
});

const CASES: readonly [title: string, call: CallParts, status: number | undefined, spec?: OpenapiSpec][] = [
  ["a described path passes", { target: "/users/7" }, undefined],
  ["the path of the server may stand before it", { target: "/v1/users/7" }, undefined],
  ["another path is not there", { target: "/nothing" }, 404],
  ["another method is not allowed", { method: "PUT", target: "/users" }, 405],
  ["HEAD is where GET is", { method: "HEAD", target: "/users" }, undefined],
  ["a parameter of a path has its type", { target: "/users/x" }, 400],
  ["text wins over a parameter", { target: "/users/me" }, undefined],
  ["a parameter may be a part of an element", { target: "/files/a.json" }, undefined],
  ["a parameter is never empty", { target: "/files/.json" }, 404],
  ["a parameter of a query has its type", { target: "/users?page=x" }, 400],
  ["bounds of version 3.0 are understood", { target: "/users?page=0" }, 400],
  ["a good parameter passes", { target: "/users?page=1" }, undefined],
  ["lists are read item by item", { target: "/users?tag=a&tag=b" }, undefined],
  ["items have their pattern", { target: "/users?tag=a&tag=B" }, 400],
  ["lists have their length", { target: "/users?tag=a&tag=b&tag=c" }, 400],
  ["lists with commas are read", { target: "/users?ids=1,2" }, undefined],
  ["lists with commas are checked", { target: "/users?ids=1,x" }, 400],
  ["parameters need not be checked", { target: "/users?page=x" }, undefined, { validateRequestParams: false }],
  ["headers are not checked unless asked for", { target: "/users" }, undefined],
  ["a header that is missing is missed", { target: "/users" }, 400, { validateRequestHeaders: true }],
  ["a header is checked", { target: "/users", fields: { "x-tenant": "7" } }, 400, { validateRequestHeaders: true }],
  [
    "a good header passes",
    { target: "/users", fields: { "x-tenant": "0f8fad5b-d9cb-469f-a165-70867728950e" } },
    undefined,
    { validateRequestHeaders: true },
  ],
  ["a good body passes, without what only answers have", post('{"name":"a","nick":null}'), undefined],
  ["a body that does not fit is refused", post('{"name":""}'), 400],
  ["schemas refer to themselves", post('{"name":"a","friends":[{"name":7}]}'), 400],
  ["what is not described is refused", post('{"name":"a","admin":true}'), 400],
  ["what is not JSON is refused", post("{"), 400],
  ["a field that stands twice is refused", post('{"name":"a","name":"b"}'), 400],
  ["a body that is missing is missed", { method: "POST", target: "/users", fields: JSON_TYPE }, 400],
  ["another type is refused", post("a=b", { "content-type": "application/x-www-form-urlencoded" }), 415],
  ["other types are not looked into", post("a=b", { "content-type": "text/plain" }), undefined],
  ["packed bodies are looked into", post(gzipSync('{"name":""}'), { ...JSON_TYPE, "content-encoding": "gzip" }), 400],
  ["too large is too large", post(Buffer.alloc(5 * 1024 * 1024, " ")), 413],
  ["bodies need not be checked", post("{"), undefined, { validateRequestBody: false }],
  ["credentials are missed", { method: "DELETE", target: "/users/7" }, 401, { validateSecurity: true }],
  [
    "credentials are found",
    { method: "DELETE", target: "/users/7", fields: { authorization: "Bearer x" } },
    undefined,
    { validateSecurity: true },
  ],
  [
    "half of the credentials are not enough",
    post('{"name":"a"}', { ...JSON_TYPE, "x-key": "k" }),
    401,
    { validateSecurity: true },
  ],
];
for (const [title, call, status, spec] of CASES)
  test(title, async () => {
    const got = await asked(call, spec);
    assert.equal(got.status, status, got.text);
    assert.deepEqual(got.notes, []);
  });

test("a body goes on as it came", async () => {
  assert.equal((await asked(post('{ "name": "a" }'))).text, '{ "name": "a" }');
});

test("the answer says what the document wants, and nothing that the client sent", async () => {
  const { text } = await asked(post('{"name":"a","friends":[{"name":"b","evil<script>":1}]}'));
  assert.match(text, /must NOT have additional properties/);
  assert.doesNotMatch(text, /evil/);
});

test("other methods are named", async () => {
  assert.equal((await asked({ method: "PUT", target: "/users" })).answer?.fields.get("allow"), "GET, POST");
});

test("what does not fit can be let through, whole, and shows in the log", async () => {
  const { status, text, flag } = await asked(post("{"), { failOnError: false });
  assert.deepEqual([status, text, flag], [undefined, "{", "invalid_request"]);
});

test("documents of version 3.1 are those of JSON Schema", async () => {
  const specInline = JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/": {
        post: {
          requestBody: { content: { "application/json": { schema: { type: ["string", "null"], minLength: 2 } } } },
        },
      },
    },
  });
  const at = (body: string): CallParts => ({ method: "POST", target: "/", fields: JSON_TYPE, body });
  assert.equal((await asked(at("null"), { specInline })).status, undefined);
  assert.equal((await asked(at('"a"'), { specInline })).status, 400);
});

test("a pattern that would take forever does not", async () => {
  const specInline = JSON.stringify({
    openapi: "3.0.0",
    paths: {
      "/": { get: { parameters: [{ name: "q", in: "query", schema: { type: "string", pattern: "^(a+)+$" } }] } },
    },
  });
  assert.equal((await asked({ target: `/?q=${"a".repeat(5000)}!` }, { specInline })).status, 400);
});

test("a file can be the document", async () => {
  assert.equal((await asked({ target: "/users/x" }, { specInline: "", specFile: "api.yaml" })).status, 400);
});

const WRONG: readonly OpenapiSpec[] = [
  { specInline: "swagger: '2.0'" },
  { specInline: "{" },
  { specInline: '{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/nowhere"}}}' },
  { specInline: '{"openapi":"3.0.0","paths":{"/a":{"$ref":"https://evil.example/x"}}}' },
  { specInline: '{"openapi":"3.0.0","components":{"schemas":{"A":{"type":"string","pattern":"(?=x)"}}}}' },
  { specInline: '{"openapi":"3.0.0","paths":{"/{a}-{b}":{}}}' },
  { specInline: "", specFile: "missing.yaml" },
  { specInline: "" },
];
for (const spec of WRONG)
  test(`${JSON.stringify(spec)} closes the route`, async () => {
    const { status, notes } = await asked({}, spec);
    assert.deepEqual([status, notes[0]?.severity, notes[0]?.closed], [503, "error", true]);
  });

test("a document at an address is waited for, fetched again, and kept when it is away", async () => {
  const around = madeAround();
  const replies: (Json | undefined)[] = [undefined, { openapi: "3.0.0", paths: { "/a": { get: {} } } }, undefined];
  const fetchJson: FetchJson = () => Promise.resolve({ status: 200, body: replies.shift(), maxAgeSeconds: undefined });
  const filter = openapiFilter(
    { enabled: true, specURL: "https://x.example/api.json" },
    { ...around, readFile, fetchJson },
  );
  const status = async () => (await filter?.request?.(madeCall({ target: "/a" })))?.status;
  await nextTurn();
  assert.equal(await status(), 503);
  around.clock.advance(30_000);
  await nextTurn();
  assert.equal(await status(), undefined);
  around.clock.advance(300_000);
  await nextTurn();
  assert.equal(await status(), undefined);
  assert.equal(replies.length, 0);
});
