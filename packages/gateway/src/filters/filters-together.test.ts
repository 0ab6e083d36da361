import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { Answer } from "../exchange/answer.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Pipeline } from "../pipeline/pipeline.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import { cacheFilter } from "./cache/cache-filter.ts";
import { compressionFilter } from "./compression/compression-filter.ts";
import { encodingFilter } from "./encoding/encoding-filter.ts";
import { headersFilter } from "./headers/headers-filter.ts";
import { bytesOf, madeAnswer, madeAround, madeCall } from "./testing/made-call.ts";
import type { CallParts } from "./testing/made-call.ts";
import { transformFilter } from "./transform/transform-filter.ts";

const LONG = "x".repeat(2000);

/** A whole pipeline of one route with these filters, in the order that routes have them. */
function gateway(backend: (call: Call) => Answer) {
  const around = madeAround();
  const filters = [
    headersFilter({ request: { remove: ["accept-encoding"] }, response: { set: { "x-via": "gateway" } } }, around),
    compressionFilter({ enabled: true }, around),
    encodingFilter({ response: { contentType: "application/json" } }, around),
    cacheFilter({ enabled: true, ttl: "1m" }, around),
    transformFilter({ response: { denyFields: ["secret"] } }, around),
  ].filter((filter): filter is Filter => filter !== undefined);
  const { route, matched: path } = madeCall({ filters, act: backend });
  const faults: unknown[] = [];
  const pipeline = new Pipeline({
    clock: around.clock,
    observer: { started() {}, ended() {}, fault: (_where, error) => void faults.push(error) },
    proxies: { trusts: () => false },
    lease: () => ({ table: { match: () => ({ route, path, parameters: new Map() }) }, release() {} }),
  });
  const ask = async (parts: CallParts) => {
    const { head, body, client, listener } = madeCall(parts);
    const answer = await new Promise<Answer>((resolve) => {
      const exchange: Exchange = {
        head,
        body,
        client,
        listener,
        send(given) {
          resolve(given);
          return Promise.resolve({ bytes: 0, failure: undefined });
        },
        onGone() {},
      };
      pipeline.handle(exchange);
    });
    const bytes = answer.body === undefined ? Buffer.alloc(0) : await bytesOf(answer.body);
    return { status: answer.status, fields: answer.fields, bytes };
  };
  return { ask, faults };
}

test("an answer is stripped, kept once, brought to the client's format, compressed and marked, each time", async () => {
  let asked = 0;
  const { ask, faults } = gateway(() => {
    asked++;
    return madeAnswer(JSON.stringify({ a: LONG, secret: 1 }), { "content-type": "application/json", etag: '"1"' });
  });
  // The wish of the client is read before the header filter takes it away only where that stands later; here it is first.
  const plain = await ask({ fields: { "accept-encoding": "gzip" } });
  assert.deepEqual([plain.fields.get("x-cache"), plain.fields.get("x-via")], ["MISS", "gateway"]);
  assert.equal(plain.bytes.toString(), JSON.stringify({ a: LONG }));
  const yaml = await ask({ fields: { accept: "application/yaml" } });
  assert.deepEqual([yaml.fields.get("x-cache"), yaml.fields.get("content-type")], ["HIT", "application/yaml"]);
  assert.equal(yaml.bytes.toString(), `a: ${LONG}\n`);
  const again = await ask({});
  assert.deepEqual([again.fields.get("x-cache"), again.bytes.toString()], ["HIT", JSON.stringify({ a: LONG })]);
  const same = await ask({ fields: { "if-none-match": 'W/"1"' } });
  assert.deepEqual([same.status, same.bytes.length, same.fields.get("x-via")], [304, 0, "gateway"]);
  assert.equal(asked, 1);
  assert.deepEqual(faults, []);
});

test("a kept answer is compressed for those who take it", async () => {
  const around = madeAround();
  const compression = compressionFilter({ enabled: true }, around)!;
  const cache = cacheFilter({ enabled: true }, around)!;
  const pass = async (fields: Record<string, string>) => {
    const call = madeCall({ fields });
    await compression.request?.(call);
    const kept =
      (await cache.request?.(call)) ??
      (await cache.response!(call, madeAnswer(LONG, { "content-type": "text/plain" })));
    const answer = await compression.response!(call, kept);
    return { encoding: answer.fields.get("content-encoding"), bytes: await bytesOf(answer.body!) };
  };
  assert.equal((await pass({})).bytes.toString(), LONG);
  const packed = await pass({ "accept-encoding": "gzip" });
  assert.equal(packed.encoding, "gzip");
  assert.equal(gunzipSync(packed.bytes).toString(), LONG);
  assert.equal((await pass({})).encoding, undefined);
});

test("a backend that fails is told to the client, not kept, and the filters before still speak", async () => {
  const { ask } = gateway(() => madeAnswer('{"a":', { "content-type": "application/json" }));
  const broken = await ask({});
  assert.deepEqual([broken.status, broken.fields.get("x-cache"), broken.fields.get("x-via")], [502, "MISS", "gateway"]);
  assert.equal((await ask({})).status, 502);
});

test("what has no effect on gRPC is told", () => {
  const around = { ...madeAround(), routeId: "GRPCRoute default/hello" };
  assert.equal(cacheFilter({ enabled: true }, around), undefined);
  assert.equal(compressionFilter({ enabled: true }, around), undefined);
  assert.equal(encodingFilter({ response: { contentType: "xml" } }, around), undefined);
  assert.deepEqual(
    around.notes.map(({ severity, field }) => `${severity} ${field}`),
    ["warning spec.cache", "warning spec.compression", "warning spec.encoding"],
  );
});
