import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { bytesOf, madeAnswer, madeAround, madeCall } from "../testing/made-call.ts";
import { backendEncodingFilter } from "./backend-encoding.ts";
import type { BackendEncodingSpec } from "./backend-encoding.ts";

test("requests are brought to what the backend reads, and packed", async () => {
  const spec: BackendEncodingSpec = { request: { contentType: "application/json", compression: "gzip" } };
  const filter = backendEncodingFilter(spec, madeAround())!;
  const call = madeCall({ method: "POST", body: "a: 1\n", fields: { "content-type": "application/yaml" } });
  assert.equal(await filter.request?.(call), undefined);
  assert.equal(gunzipSync(await bytesOf(call.body!)).toString(), '{"a":1}');
  assert.deepEqual(
    [...call.head.fields],
    [
      ["content-type", "application/json"],
      ["content-encoding", "gzip"],
    ],
  );
});

test("a backend is asked for its compression only where the client takes it", async () => {
  const asks = async (compression: string, accepted: string | undefined) => {
    const filter = backendEncodingFilter({ response: { compression } }, madeAround())!;
    const call = madeCall({ fields: accepted === undefined ? {} : { "accept-encoding": accepted } });
    await filter.request?.(call);
    return call.head.fields.get("accept-encoding");
  };
  assert.equal(await asks("gzip", "br, gzip"), "gzip");
  assert.equal(await asks("gzip", "br"), "identity");
  assert.equal(await asks("gzip", undefined), "identity");
  assert.equal(await asks("none", "gzip"), "identity");
});

test("answers without a type get the one that the backend writes", async () => {
  const filter = backendEncodingFilter({ response: { contentType: "json" } }, madeAround())!;
  const typed = await filter.response!(madeCall(), madeAnswer("{}"));
  assert.equal(typed.fields.get("content-type"), "application/json");
  const other = await filter.response!(madeCall(), madeAnswer("x", { "content-type": "text/html" }));
  assert.equal(other.fields.get("content-type"), "text/html");
});

test("without anything to do there is no filter, and what is not known is an error", () => {
  const around = madeAround();
  assert.equal(backendEncodingFilter({ request: { compression: "none" } }, around), undefined);
  assert.equal(backendEncodingFilter({ request: { compression: "lzma" } }, around), undefined);
  assert.equal(around.notes[0]?.field, "spec.encoding.request.compression");
});
