import assert from "node:assert/strict";
import { test } from "node:test";
import { s3Wire } from "./testing/s3-wire.ts";

const Bucket = "bucket";

async function setUp() {
  const wire = await s3Wire();
  await wire.call("CreateBucket", { Bucket });
  await wire.call("PutObject", { Bucket, Key: "k", Body: Buffer.from("precious") });
  const text = async (): Promise<string> => Buffer.from((await wire.send("GET", "/bucket/k")).body).toString();
  return { ...wire, text };
}

test("what asks for a part of S3 that is not served is refused by its name, and does nothing else instead", async () => {
  const { send, call, text } = await setUp();
  for (const [method, path, name] of [
    ["PUT", "/bucket/k?acl", "acl"],
    ["GET", "/bucket/k?acl&x-id=GetObjectAcl", "acl"],
    ["PUT", "/bucket/k?retention", "retention"],
    ["PUT", "/bucket/k?legal-hold&versionId=null", "legal-hold"],
    ["PUT", "/bucket/new?renameObject", "renameObject"],
    ["GET", "/bucket/k?torrent", "torrent"],
    ["DELETE", "/bucket/k?annotation", "annotation"],
    ["PUT", "/bucket?metrics&id=all", "metrics"],
    ["DELETE", "/bucket?metrics&id=all", "metrics"],
    ["DELETE", "/bucket?%69nventory&id=all", "inventory"],
    ["GET", "/bucket?intelligent-tiering&id=x", "intelligent-tiering"],
    ["PUT", "/bucket/k?tagging&acl", "acl"],
    ["PUT", "/bucket/k?x-amz-copy-source=bucket/other", "x-amz-copy-source"],
  ] as const) {
    const { status, body } = await send(method, path, { body: Buffer.from(method === "PUT" ? "<Other/>" : "") });
    const told = Buffer.from(body).toString();
    assert.equal(status, 501, `${method} ${path}: ${told}`);
    assert.match(told, new RegExp(`<Error><Code>NotImplemented</Code><Message>[^<]*\\b${name}\\b`));
    assert.equal(await text(), "precious");
  }
  assert.equal((await call("HeadBucket", { Bucket })).status, 200);
  assert.equal((await call("HeadObject", { Bucket, Key: "new" })).status, 404);
});

test("names that clients add to every query, and those that S3 passes over, are passed over", async () => {
  const { send } = await setUp();
  for (const path of [
    "/bucket/k?x-id=GetObject",
    "/bucket/k?X-Amz-Meta=1&x-amz-sdk-checksum-algorithm=CRC32&x-for-the-log=me",
    "/bucket/k?versionId=null&partNumber=1&response-content-type=text%2Fplain",
    "/bucket?list-type=2&prefix=&delimiter=%2F&encoding-type=url&fetch-owner=true&start-after=&max-keys=10",
    "/bucket/?prefix=&marker=&encoding-type=url",
    "/bucket?versions&key-marker=k",
    "/?x-id=ListBuckets&max-buckets=5",
  ]) {
    const { status, body } = await send("GET", path);
    assert.ok(status === 200 || status === 206, `${path}: ${status} ${Buffer.from(body).toString()}`);
  }
});
