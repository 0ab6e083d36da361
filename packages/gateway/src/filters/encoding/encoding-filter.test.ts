import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { madeAnswer, madeAround, madeCall, textOf } from "../testing/made-call.ts";
import { encodingFilter } from "./encoding-filter.ts";
import type { EncodingSpec } from "./encoding-filter.ts";

async function sent(spec: EncodingSpec, body: string | Buffer, fields: Record<string, string>) {
  const filter = encodingFilter(spec, madeAround())!;
  const call = madeCall({ method: "POST", fields, body });
  const answer = await filter.request?.(call);
  const text = answer === undefined ? await textOf(call.body) : "";
  return { status: answer?.status, text, type: call.head.fields.get("content-type") };
}

async function got(accept: string | undefined, body: string, type: string, to = "application/json") {
  const filter = encodingFilter({ response: { contentType: to } }, madeAround())!;
  const call = madeCall({ fields: accept === undefined ? {} : { accept } });
  await filter.request?.(call);
  const answer = await filter.response!(call, madeAnswer(body, { "content-type": type, etag: '"1"' }));
  const { fields, status } = answer;
  return {
    status,
    text: await textOf(answer.body),
    type: fields.get("content-type"),
    vary: fields.get("vary"),
    etag: fields.get("etag"),
  };
}

test("what the backend gets is in its format, whichever the client sends", async () => {
  const json = { request: { contentType: "application/json" } };
  assert.deepEqual(await sent(json, "a: [1, x]\n", { "content-type": "application/yaml" }), {
    status: undefined,
    text: '{"a":[1,"x"]}',
    type: "application/json",
  });
  const xml = '<user id="7"><name>Ann &amp; Bob</name><tag>a</tag><tag>b</tag></user>';
  assert.equal(
    (await sent(json, xml, { "content-type": "text/xml; charset=utf-8" })).text,
    '{"@id":"7","name":"Ann & Bob","tag":["a","b"]}',
  );
  const packed = await sent(json, gzipSync(xml), { "content-type": "text/xml", "content-encoding": "gzip" });
  assert.match(packed.text, /Ann/);
});

test("other types, and what is right already, pass as they are", async () => {
  const spec = { request: { contentType: "application/json" } };
  assert.equal((await sent(spec, "a=1", { "content-type": "text/plain" })).text, "a=1");
  assert.equal((await sent(spec, '{ "a": 1.0 }', { "content-type": "application/json" })).text, '{ "a": 1.0 }');
});

test("a body that cannot be read, or is too large, is refused", async () => {
  const spec = { request: { contentType: "application/json" } };
  const type = { "content-type": "application/xml" };
  assert.equal((await sent(spec, "<a>", type)).status, 400);
  assert.equal((await sent(spec, Buffer.alloc(5 * 1024 * 1024), type)).status, 413);
  const yaml = { "content-type": "application/yaml" };
  assert.equal((await sent(spec, Buffer.alloc(200 * 1024, "a"), yaml)).status, 413);
  assert.equal((await sent(spec, "<a/>", { ...type, "content-encoding": "gzip" })).status, 400);
});

test("clients get what they ask for, and what the route says otherwise", async () => {
  const body = '{"a":[1,"x"]}';
  const json = await got(undefined, body, "application/json");
  assert.deepEqual([json.text, json.vary, json.etag], [body, "accept", '"1"']);
  const yaml = await got("text/html, application/yaml;q=0.9, application/json;q=0.1", body, "application/json");
  assert.deepEqual([yaml.type, yaml.text, yaml.etag], ["application/yaml", "a:\n  - 1\n  - x\n", 'W/"1"']);
  const xml = await got("application/xml", body, "application/json");
  assert.match(xml.text, /<root><a>1<\/a><a>x<\/a><\/root>/);
  assert.equal((await got("text/html", body, "application/json", "xml")).type, "application/xml");
  assert.equal((await got("*/*", "a: 1\n", "application/yaml")).text, '{"a":1}');
});

test("answers of other types pass, and broken ones become 502", async () => {
  assert.equal((await got(undefined, "<html>", "text/html")).text, "<html>");
  assert.equal((await got(undefined, "<a>", "application/xml")).status, 502);
});

test("a format that is not known is an error", () => {
  const around = madeAround();
  assert.equal(encodingFilter({ response: { contentType: "application/msgpack" } }, around), undefined);
  assert.equal(around.notes[0]?.field, "spec.encoding.response.contentType");
});
