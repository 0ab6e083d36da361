import assert from "node:assert/strict";
import { test } from "node:test";
import type { WireResponse } from "@gatewright/aws-wire";
import { s3Wire } from "./testing/s3-wire.ts";

const Bucket = "bucket";
const RULES = [
  {
    AllowedOrigins: ["https://*.example.com"],
    AllowedMethods: ["GET", "PUT"],
    AllowedHeaders: ["Content-*", "X-Amz-Date"],
    ExposeHeaders: ["ETag", "bad \u65e5"],
    MaxAgeSeconds: 60,
  },
  { AllowedOrigins: ["*"], AllowedMethods: ["GET"] },
];
const VARY = "Origin, Access-Control-Request-Headers, Access-Control-Request-Method";

async function setUp() {
  const wire = await s3Wire();
  await wire.call("CreateBucket", { Bucket });
  await wire.call("PutObject", { Bucket, Key: "k", Body: Buffer.from("hello") });
  /** As browsers ask: without a signature. */
  const preflight = (headers: Readonly<Record<string, string>>, path = "/bucket/k"): Promise<WireResponse> =>
    wire.aws.handle(
      { method: "OPTIONS", path, headers: { host: "localhost:4566", ...headers }, body: new Uint8Array(0) },
      new AbortController().signal,
    );
  const allow = () => wire.call("PutBucketCors", { Bucket, CORSConfiguration: { CORSRules: RULES } });
  return { ...wire, preflight, allow };
}

const text = ({ body }: WireResponse): string => Buffer.from(body).toString();
const forCors = ({ headers }: WireResponse): object =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("access-control-") || name === "vary"));

test("a preflight is answered from the first rule of the bucket that fits, without a signature", async () => {
  const { preflight, allow } = await setUp();
  await allow();
  const put = {
    origin: "https://app.example.com",
    "access-control-request-method": "PUT",
    "access-control-request-headers": "Content-Type,x-amz-date",
  };
  const allowed = await preflight(put);
  assert.equal(allowed.status, 200);
  assert.deepEqual(forCors(allowed), {
    "access-control-allow-origin": "https://app.example.com",
    "access-control-allow-methods": "GET, PUT",
    "access-control-allow-headers": "content-type, x-amz-date",
    "access-control-expose-headers": "ETag",
    "access-control-max-age": "60",
    "access-control-allow-credentials": "true",
    vary: VARY,
  });
  const anyone = await preflight({ origin: "https://other", "access-control-request-method": "GET" });
  assert.deepEqual(forCors(anyone), {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    vary: VARY,
  });
  assert.equal((await preflight({ ...put, host: "bucket.s3.localhost:4566" }, "/k?x-id=PutObject")).status, 200);
});

test("a preflight that no rule allows, or that says too little, is refused", async () => {
  const { preflight, allow } = await setUp();
  const get = { origin: "https://other", "access-control-request-method": "GET" };
  assert.match(text(await preflight(get)), /AccessForbidden.*CORS is not enabled for this bucket/);
  assert.match(text(await preflight(get, "/none/k")), /AccessForbidden.*Bucket not found/);
  await allow();
  for (const headers of [
    { ...get, "access-control-request-method": "PUT" },
    { ...get, "access-control-request-headers": "x-other" },
    { ...get, origin: "https://example.com", "access-control-request-method": "DELETE" },
  ]) {
    const refused = await preflight(headers);
    assert.equal(refused.status, 403);
    assert.match(text(refused), /<Code>AccessForbidden<.*This CORS request is not allowed/);
    assert.deepEqual(forCors(refused), {});
  }
  for (const headers of [{ "access-control-request-method": "GET" }, { origin: "https://other" }]) {
    assert.equal((await preflight(headers)).status, 400);
  }
});

test("answers to pages whose origin a rule allows say so, refusals among them, and other answers do not", async () => {
  const { send, allow } = await setUp();
  await allow();
  const headers = { origin: "https://app.example.com" };
  const read = await send("GET", "/bucket/k", { headers });
  assert.equal(text(read), "hello");
  assert.equal(read.headers["access-control-allow-origin"], "https://app.example.com");
  assert.equal(read.headers["access-control-expose-headers"], "ETag");
  const missing = await send("GET", "/bucket/none", { headers });
  assert.deepEqual([missing.status, missing.headers["access-control-allow-origin"]], [404, headers.origin]);
  assert.deepEqual(forCors(await send("DELETE", "/bucket/none", { headers })), {});
  assert.deepEqual(forCors(await send("GET", "/bucket/k")), {});
});
