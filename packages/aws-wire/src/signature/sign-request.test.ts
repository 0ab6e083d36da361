import assert from "node:assert/strict";
import { test } from "node:test";
import { signRequest } from "./sign-request.ts";

/** Examples that AWS publishes: the test suite of signature version 4, and the guides of IAM and S3. */
const suite = {
  credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" },
  region: "us-east-1",
  service: "service",
  now: Date.UTC(2015, 7, 30, 12, 36),
  headers: { host: "example.amazonaws.com" },
  body: new Uint8Array(0),
};
const s3 = {
  credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  region: "us-east-1",
  service: "s3",
  now: Date.UTC(2013, 4, 24),
  headers: { host: "examplebucket.s3.amazonaws.com" },
  body: new Uint8Array(0),
};

const cases: readonly [name: string, Parameters<typeof signRequest>[0], signature: string][] = [
  [
    "a plain GET",
    { ...suite, method: "GET", path: "/" },
    "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  ],
  [
    "a plain POST",
    { ...suite, method: "POST", path: "/" },
    "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
  ],
  [
    "a query whose order is not that of its names",
    { ...suite, method: "GET", path: "/?Param2=value2&Param1=value1" },
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "a call of IAM",
    {
      ...suite,
      service: "iam",
      method: "GET",
      path: "/?Action=ListUsers&Version=2010-05-08",
      headers: { host: "iam.amazonaws.com", "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
    },
    "5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
  ],
  [
    "a part of an object of S3",
    { ...s3, method: "GET", path: "/test.txt", headers: { ...s3.headers, range: "bytes=0-9" } },
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  ],
  [
    "an object of S3 whose key needs encoding",
    {
      ...s3,
      method: "PUT",
      path: "/test%24file.text",
      headers: { ...s3.headers, date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
      body: Buffer.from("Welcome to Amazon S3."),
    },
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  [
    "a query of S3 that is a bare word",
    { ...s3, method: "GET", path: "/?lifecycle" },
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ],
  [
    "a list of S3",
    { ...s3, method: "GET", path: "/?max-keys=2&prefix=J" },
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
];

for (const [name, options, signature] of cases) {
  test(`${name} has the published signature`, () => {
    assert.equal(/Signature=(\w+)$/.exec(signRequest(options)["authorization"] ?? "")?.[1], signature);
  });
}

test("a session token is sent and signed", () => {
  const headers = signRequest({
    ...suite,
    method: "GET",
    path: "/",
    credentials: { ...suite.credentials, sessionToken: "token" },
  });
  assert.equal(headers["x-amz-security-token"], "token");
  assert.match(headers["authorization"] ?? "", /SignedHeaders=host;x-amz-date;x-amz-security-token,/);
});

test("a request without a host is not signed", () => {
  assert.throws(() => signRequest({ ...suite, method: "GET", path: "/", headers: {} }), /host/);
});
