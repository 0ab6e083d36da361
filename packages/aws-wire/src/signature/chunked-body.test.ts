import assert from "node:assert/strict";
import { test } from "node:test";
import { SignatureError } from "./signature-error.ts";
import { verifySignature } from "./verify-signature.ts";
import type { WireRequest } from "../wire.ts";

const options = {
  secretFor: () => ({ secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" }),
  now: Date.UTC(2013, 4, 24),
};

const CHUNKS = [
  ["10000", "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648", "a".repeat(65536)],
  ["400", "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497", "a".repeat(1024)],
  ["0", "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9", ""],
] as const;

function bodyOf(chunks: readonly (readonly [string, string, string])[]): Buffer {
  return Buffer.from(chunks.map(([size, sign, data]) => `${size};chunk-signature=${sign}\r\n${data}\r\n`).join(""));
}

function request(payload: string, signature: string, body: Buffer, trailer?: string): WireRequest {
  const names = [
    "content-encoding",
    ...(trailer === undefined ? ["content-length"] : []),
    "host",
    "x-amz-content-sha256",
    "x-amz-date",
    "x-amz-decoded-content-length",
    "x-amz-storage-class",
    ...(trailer === undefined ? [] : ["x-amz-trailer"]),
  ];
  return {
    method: "PUT",
    path: "/examplebucket/chunkObject.txt",
    headers: {
      host: "s3.amazonaws.com",
      "x-amz-date": "20130524T000000Z",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": payload,
      "content-encoding": "aws-chunked",
      "x-amz-decoded-content-length": "66560",
      ...(trailer === undefined ? { "content-length": "66824" } : { "x-amz-trailer": trailer }),
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request," +
        `SignedHeaders=${names.join(";")},Signature=${signature}`,
    },
    body,
  };
}

const SEED = "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9";
const published = (body: Buffer): WireRequest => request("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", SEED, body);

test("the published example of signed chunks is put together", () => {
  const { request: meant } = verifySignature(published(bodyOf(CHUNKS)), options);
  assert.equal(meant.body.length, 66560);
  assert.ok(meant.body.every((byte) => byte === 97));
  assert.equal(meant.headers["content-encoding"], undefined);
});

test("the published example of signed chunks with a checksum after them gives that checksum as a header", () => {
  const body = Buffer.from(
    `10000;chunk-signature=b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2\r\n${"a".repeat(65536)}\r\n` +
      `400;chunk-signature=1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7\r\n${"a".repeat(1024)}\r\n` +
      "0;chunk-signature=2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992\r\n" +
      "x-amz-checksum-crc32c:sOO8/Q==\n\r\n" +
      "x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n\r\n",
  );
  const seed = "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e";
  const whole = request("STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", seed, body, "x-amz-checksum-crc32c");
  const { request: meant } = verifySignature(whole, options);
  assert.equal(meant.headers["x-amz-checksum-crc32c"], "sOO8/Q==");
  assert.equal(meant.body.length, 66560);
  const changed = Buffer.from(body.toString().replace("sOO8", "sOO9"));
  assert.throws(() => verifySignature({ ...whole, body: changed }, options), SignatureError);
});

test("chunks that are changed, cut short, left out or out of order are refused", () => {
  const whole = bodyOf(CHUNKS);
  const [first, second, last] = CHUNKS;
  const changed = Buffer.from(whole);
  changed[200] = 98;
  const wrongs = [
    changed,
    whole.subarray(0, 1000),
    whole.subarray(0, whole.length - 90),
    bodyOf([first, last]),
    bodyOf([second, first, last]),
    Buffer.from("zz\r\n"),
    Buffer.from("400\r\nshort"),
    Buffer.alloc(0),
  ];
  for (const body of wrongs) assert.throws(() => verifySignature(published(body), options), SignatureError);
});
