import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Source } from "../../exchange/body.ts";
import { madeAnswer, madeAround, madeCall, textOf } from "../testing/made-call.ts";
import type { CallParts } from "../testing/made-call.ts";
import { backendTransformFilter, transformFilter } from "./transform-filter.ts";
import type { RequestTransformSpec, ResponseTransformSpec } from "./transform-spec.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function sent(request: RequestTransformSpec, parts: CallParts) {
  const around = madeAround();
  const filter = transformFilter({ request }, around);
  const call = madeCall({ method: "POST", fields: JSON_TYPE, ...parts });
  const answer = await filter?.request?.(call);
  const text = answer === undefined ? await textOf(call.body) : "";
  return { status: answer?.status, text, fields: call.head.fields, notes: around.notes };
}

async function got(
  response: ResponseTransformSpec,
  body: string | Buffer | Source,
  fields: Record<string, string> = JSON_TYPE,
  status = 200,
) {
  const around = madeAround();
  const filter = transformFilter({ response }, around)!;
  const call = madeCall();
  await filter.request?.(call);
  const answer = await filter.response!(call, madeAnswer(body, fields, status));
  return { status: answer.status, text: await textOf(answer.body), fields: answer.fields, notes: around.notes };
}

const ANN = {
  method: "jwt",
  subject: "ann",
  roles: ["a", "b"],
  groups: [],
  scopes: [],
  permissions: [],
  claims: new Map<string, unknown>([
    ["sub", "ann"],
    ["realm", { id: 7 }],
    ["https://x.example/y", "dotted"],
    ["bad", "a\r\nb"],
  ]),
} as const;

test("fields of a request are set from fixed values and from what is known about the call", async () => {
  const { fields, notes } = await sent(
    {
      staticHeaders: { "X-Fixed": "1" },
      dynamicHeaders: [
        { name: "X-User", source: "claim.sub" },
        { name: "x-realm", source: "jwt.claim.realm.id" },
        { name: "x-dotted", source: "claim.https://x.example/y" },
        { name: "x-roles", source: "identity.roles" },
        { name: "x-page", source: "query.page" },
        { name: "x-id", source: "path.id" },
        { name: "x-ip", source: "client.ip" },
        { name: "x-agent", source: "headers.User-Agent" },
        { name: "x-trace", source: "context.trace_id" },
      ],
    },
    {
      identity: ANN,
      target: "/?page=a%20b",
      parameters: { id: "7" },
      fields: { "user-agent": "t", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
    },
  );
  const values = ["x-fixed", "x-user", "x-realm", "x-dotted", "x-roles", "x-page", "x-id", "x-ip", "x-agent"].map(
    (name) => fields.get(name),
  );
  assert.deepEqual(values, ["1", "ann", "7", "dotted", "a,b", "a b", "7", "192.0.2.7", "t"]);
  assert.equal(fields.get("x-trace"), "a".repeat(32));
  assert.deepEqual(notes, []);
});

test("a client cannot say what a source does not, nor can a source end a line", async () => {
  const dynamicHeaders = [
    { name: "x-user", source: "claim.sub" },
    { name: "x-bad", source: "claim.bad" },
    { name: "x-split", source: "query.s" },
  ];
  const fields = { "x-user": "root", "x-bad": "forged" };
  assert.equal((await sent({ dynamicHeaders }, { fields })).fields.get("x-user"), undefined);
  const known = await sent({ dynamicHeaders }, { fields, identity: ANN, target: "/?s=a%0d%0aevil:%201" });
  assert.deepEqual(
    ["x-user", "x-bad", "x-split"].map((name) => known.fields.get(name)),
    ["ann", undefined, undefined],
  );
});

test("bodies get defaults, lose fields and get others, in this order", async () => {
  const { text, notes } = await sent(
    {
      defaultValues: { "page.size": 10, sort: "asc" },
      removeFields: ["items[].secret", "admin"],
      injectFields: [
        { field: "user", source: "claim.sub" },
        { field: "meta.via", value: ["gateway"] },
      ],
    },
    { identity: ANN, body: '{"admin":true,"sort":"desc","id":12345678901234567890,"items":[{"secret":1,"a":1.0}]}' },
  );
  assert.equal(
    text,
    '{"sort":"desc","id":12345678901234567890,"items":[{"a":1.0}],"page":{"size":10},"user":"ann","meta":{"via":["gateway"]}}',
  );
  assert.deepEqual(notes, []);
});

test("an injected field whose source has nothing is taken away", async () => {
  const { text } = await sent(
    { injectFields: [{ field: "user", source: "claim.sub" }] },
    { body: '{"user":"root","a":1}' },
  );
  assert.equal(text, '{"a":1}');
});

test("a template makes a new body", async () => {
  const { text } = await sent(
    { template: '{"who": "{{ .name }}", "by": "{{ .jwt.sub }}"}' },
    { identity: ANN, body: '{"name":"a\\"b"}' },
  );
  assert.equal(text, '{"who": "a\\"b", "by": "ann"}');
});

test("a body can be left alone", async () => {
  const { text, fields } = await sent(
    { passthroughBody: true, removeFields: ["a"], staticHeaders: { "x-a": "1" } },
    { body: '{"a":1}' },
  );
  assert.deepEqual([text, fields.get("x-a")], ['{"a":1}', "1"]);
});

test("what is not JSON passes, unless it has to be", async () => {
  const spec: RequestTransformSpec = { removeFields: ["a"] };
  const text: CallParts = { body: "a=1", fields: { "content-type": "text/plain" } };
  assert.equal((await sent(spec, text)).text, "a=1");
  assert.equal((await sent(spec, { body: "{" })).text, "{");
  const strict = { ...spec, validateBeforeTransform: true };
  assert.equal((await sent(strict, text)).status, 415);
  assert.equal((await sent(strict, { body: "{" })).status, 400);
  assert.equal((await sent(strict, { body: '{"a":1}' })).text, "{}");
});

test("a request without a body gets none", async () => {
  assert.equal((await sent({ injectFields: [{ field: "a", value: 1 }] }, { method: "GET" })).text, "");
});

test("a body that is too large is refused, packed or not", async () => {
  const spec: RequestTransformSpec = { removeFields: ["a"] };
  const large = Buffer.from(JSON.stringify("x".repeat(5 * 1024 * 1024)));
  assert.equal((await sent(spec, { body: large })).status, 413);
  const packed = { ...JSON_TYPE, "content-encoding": "gzip" };
  assert.equal((await sent(spec, { body: gzipSync(large), fields: packed })).status, 413);
  assert.equal((await sent(spec, { body: "{}", fields: packed })).status, 400);
  assert.equal((await sent(spec, { body: "{}", fields: { ...JSON_TYPE, "content-encoding": "lzma" } })).status, 415);
  const fine = await sent(spec, { body: gzipSync('{"a":1}'), fields: packed });
  assert.deepEqual([fine.text, fine.fields.has("content-encoding")], ["{}", false]);
});

const ORDER =
  '{"id":1.0,"secret":"x","owner":{"name":"Ann","pin":1},"items":[{"sku":"b","n":2,"pin":1},{"sku":"a","n":10},{"sku":"b","n":2}]}';

const CHANGES: readonly [title: string, spec: ResponseTransformSpec, expected: string][] = [
  [
    "only allowed fields stay",
    { allowFields: ["id", "owner.name", "items[].sku"] },
    '{"id":1.0,"owner":{"name":"Ann"},"items":[{"sku":"b"},{"sku":"a"},{"sku":"b"}]}',
  ],
  ["an allowed object stays whole", { allowFields: ["owner.name", "owner"] }, '{"owner":{"name":"Ann","pin":1}}'],
  ["nothing of a field of another shape stays", { allowFields: ["id.x", "secret.y"] }, "{}"],
  [
    "denied fields go, also in arrays",
    { denyFields: ["secret", "owner.pin", "items.pin", "items[].n"] },
    '{"id":1.0,"owner":{"name":"Ann"},"items":[{"sku":"b"},{"sku":"a"},{"sku":"b"}]}',
  ],
  [
    "fields move",
    { allowFields: ["id", "owner.name"], fieldMappings: { id: "order.id", "owner.name": "who" } },
    '{"owner":{},"order":{"id":1.0},"who":"Ann"}',
  ],
  [
    "fields move within items",
    { allowFields: ["items.sku"], fieldMappings: { "items[].sku": "items[].code.sku" } },
    '{"items":[{"code":{"sku":"b"}},{"code":{"sku":"a"}},{"code":{"sku":"b"}}]}',
  ],
  [
    "an object's fields are put beside it",
    { allowFields: ["id", "owner"], flattenFields: ["owner"] },
    '{"id":1.0,"name":"Ann","pin":1}',
  ],
  [
    "fields are grouped",
    { allowFields: ["id", "secret"], groupFields: [{ name: "meta.all", fields: ["id", "secret", "nothing"] }] },
    '{"meta":{"all":{"id":1.0,"secret":"x"}}}',
  ],
  [
    "items are filtered",
    {
      allowFields: ["items"],
      arrayOperations: [{ field: "items", operation: "filter", condition: "item.n > 5 || has(item.pin)" }],
    },
    '{"items":[{"sku":"b","n":2,"pin":1},{"sku":"a","n":10}]}',
  ],
  [
    "items are sorted by a field",
    { allowFields: ["items.n"], arrayOperations: [{ field: "items[]", operation: "sort", value: "-n" }] },
    '{"items":[{"n":10},{"n":2},{"n":2}]}',
  ],
  [
    "items are limited, appended and prepended",
    {
      allowFields: ["items.n"],
      arrayOperations: [
        { field: "items", operation: "limit", value: 1 },
        { field: "items", operation: "append", value: { n: 3 } },
        { field: "items", operation: "prepend", value: 0 },
      ],
    },
    '{"items":[0,{"n":2},{"n":3}]}',
  ],
  [
    "items stand once",
    { allowFields: ["items.sku", "items.n"], arrayOperations: [{ field: "items", operation: "deduplicate" }] },
    '{"items":[{"sku":"b","n":2},{"sku":"a","n":10}]}',
  ],
  [
    "items stand once by a field",
    { allowFields: ["items.n"], arrayOperations: [{ field: "items", operation: "deduplicate", value: "n" }] },
    '{"items":[{"n":2},{"n":10}]}',
  ],
  ["a template makes a new body", { template: '{"n": {{ .response.id }}}' }, '{"n":1.0}'],
  [
    "a template's result is merged",
    { allowFields: ["id", "owner"], template: '{"owner": {"name": "Bob"}}', mergeStrategy: "deep" },
    '{"id":1.0,"owner":{"name":"Bob","pin":1}}',
  ],
  [
    "a template's result is merged at the top",
    { allowFields: ["id", "owner"], template: '{"owner": {"name": "Bob"}}', mergeStrategy: "shallow" },
    '{"id":1.0,"owner":{"name":"Bob"}}',
  ],
];
for (const [title, spec, expected] of CHANGES)
  test(title, async () => {
    const { text, status, notes } = await got(spec, ORDER);
    assert.equal(text, expected);
    assert.equal(status, 200);
    assert.deepEqual(notes, []);
  });

test("an array is written as lines", async () => {
  const { text, fields } = await got({ mergeStrategy: "ndjson" }, "[1,{}]");
  assert.deepEqual([text, fields.get("content-type")], ["1\n{}\n", "application/x-ndjson"]);
});

test("bodies that are arrays are changed item by item", async () => {
  const spec: ResponseTransformSpec = {
    allowFields: ["[].a"],
    arrayOperations: [{ field: "[]", operation: "limit", value: 1 }],
  };
  assert.equal((await got(spec, '[{"a":1,"b":2},{"a":2}]')).text, '[{"a":1}]');
});

test("backends are asked for what can be read, and packed answers are unpacked", async () => {
  const filter = transformFilter({ response: { denyFields: ["a"] } }, madeAround())!;
  const call = madeCall({ fields: { "accept-encoding": "br", range: "bytes=0-1" } });
  await filter.request?.(call);
  assert.deepEqual([...call.head.fields], [["accept-encoding", "identity"]]);
  const packed = await got({ denyFields: ["a"] }, brotliCompressSync('{"a":1}'), {
    ...JSON_TYPE,
    "content-encoding": "br",
    etag: '"1"',
  });
  assert.deepEqual(
    [packed.text, packed.fields.has("content-encoding"), packed.fields.get("etag")],
    ["{}", false, 'W/"1"'],
  );
});

test("answers that should lose fields and cannot be read become 502", async () => {
  const spec: ResponseTransformSpec = { denyFields: ["a"] };
  assert.equal((await got(spec, '{"a":1')).status, 502);
  assert.equal((await got(spec, Buffer.alloc(5 * 1024 * 1024, " "))).status, 502);
  assert.equal((await got(spec, "{}", { ...JSON_TYPE, "content-encoding": "lzma" })).status, 502);
  assert.equal((await got(spec, '{"a"', JSON_TYPE, 206)).status, 502);
  assert.equal((await got(spec, "[".repeat(1000) + "]".repeat(1000))).status, 502);
});

test("answers of other types pass as they are", async () => {
  assert.equal((await got({ denyFields: ["a"] }, '{"a":1}', { "content-type": "text/html" })).text, '{"a":1}');
});

test("a condition that costs too much becomes 502", async () => {
  const spec: ResponseTransformSpec = {
    arrayOperations: [
      { field: "a", operation: "filter", condition: "item.all(x, item.all(y, item.all(z, x + y + z >= 0)))" },
    ],
  };
  const body = JSON.stringify({ a: [Array.from({ length: 300 }, (_, at) => at)] });
  assert.equal((await got(spec, body)).status, 502);
});

test("no field reaches a prototype", async () => {
  const { text } = await got(
    {
      fieldMappings: { a: "__proto__.polluted", "__proto__.b": "c" },
      groupFields: [{ name: "constructor", fields: ["d"] }],
    },
    '{"a":true,"__proto__":{"b":1},"d":2}',
  );
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.equal(text, '{"__proto__":{"polluted":true},"c":1,"constructor":{"d":2}}');
});

const WRONG: readonly [field: string, request: RequestTransformSpec, response: ResponseTransformSpec][] = [
  ["spec.transform.request.staticHeaders", { staticHeaders: { Host: "x" } }, {}],
  ["spec.transform.request.dynamicHeaders[0].source", { dynamicHeaders: [{ name: "x", source: "nonsense.x" }] }, {}],
  ["spec.transform.request.dynamicHeaders[0].name", { dynamicHeaders: [{ name: "te", source: "client.ip" }] }, {}],
  ["spec.transform.request.removeFields[0]", { removeFields: ["a..b"] }, {}],
  ["spec.transform.request.injectFields[0]", { injectFields: [{ field: "a" }] }, {}],
  ["spec.transform.request.template", { template: "{{ printf }}" }, {}],
  ["spec.transform.response.denyFields[0]", {}, { denyFields: [""] }],
  ["spec.transform.response.fieldMappings", {}, { fieldMappings: { "a[].b": "c" } }],
  [
    "spec.transform.response.arrayOperations[0].condition",
    {},
    { arrayOperations: [{ field: "a", operation: "filter", condition: "item.(" }] },
  ],
  [
    "spec.transform.response.arrayOperations[0].condition",
    {},
    { arrayOperations: [{ field: "a", operation: "filter", condition: "'x'" }] },
  ],
  [
    "spec.transform.response.arrayOperations[0].value",
    {},
    { arrayOperations: [{ field: "a", operation: "limit", value: "many" }] },
  ],
  [
    "spec.transform.response.arrayOperations[0].operation",
    {},
    { arrayOperations: [{ field: "a", operation: "shuffle" }] },
  ],
];
for (const [field, request, response] of WRONG)
  test(`${JSON.stringify({ ...request, ...response })} is an error`, () => {
    const around = madeAround();
    transformFilter({ request, response }, around);
    assert.deepEqual(
      around.notes.map((note) => [note.severity, note.field]),
      [["error", field]],
    );
  });

test("a strategy without anything to merge is a warning", () => {
  const around = madeAround();
  assert.equal(transformFilter({ response: { mergeStrategy: "deep" } }, around), undefined);
  assert.equal(around.notes[0]?.severity, "warning");
});

test("a backend changes fields and bodies of its own", async () => {
  const around = madeAround();
  const filter = backendTransformFilter(
    {
      request: { headers: { set: { "X-A": "1" } }, template: '{"wrapped": {{ .body }}}' },
      response: { denyFields: ["secret"], headers: { remove: ["Server"] } },
    },
    around,
  )!;
  const call = madeCall({ method: "POST", fields: JSON_TYPE, body: "[1]" });
  await filter.request?.(call);
  assert.deepEqual([await textOf(call.body), call.head.fields.get("x-a")], ['{"wrapped": [1]}', "1"]);
  const answer = await filter.response!(call, madeAnswer('{"secret":1}', { ...JSON_TYPE, server: "x" }));
  assert.deepEqual([await textOf(answer.body), answer.fields.has("server")], ["{}", false]);
  assert.deepEqual(around.notes, []);
});
