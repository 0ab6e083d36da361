import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { signRequest } from "./sign-request.ts";
import { SignatureError } from "./signature-error.ts";
import type { SignatureFault } from "./signature-error.ts";
import { verifySignature } from "./verify-signature.ts";
import type { KnownKey } from "./verify-signature.ts";
import type { WireRequest } from "../wire.ts";

const SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const KEY = "AKIAIOSFODNN7EXAMPLE";
const credentials = { accessKeyId: KEY, secretAccessKey: SECRET };
const now = Date.UTC(2013, 4, 24);
const empty = new Uint8Array(0);
const minute = 60_000;

const keys = new Map<string, KnownKey>([
  [KEY, { secretAccessKey: SECRET }],
  ["ASIASESSION", { secretAccessKey: "secret", sessionToken: "token", expires: now + minute }],
]);
const options = { secretFor: (id: string) => keys.get(id), now };

function signed(change: Partial<Parameters<typeof signRequest>[0]> = {}): WireRequest {
  const call = {
    method: "POST",
    path: "/",
    headers: { host: "localhost:4566" },
    body: Buffer.from("Action=GetCallerIdentity"),
    credentials,
    region: "eu-west-1",
    service: "sts",
    now,
    ...change,
  };
  return { method: call.method, path: call.path, headers: signRequest(call), body: call.body };
}

function faultOf(request: WireRequest, at = now): SignatureFault["kind"] | undefined {
  try {
    verifySignature(request, { ...options, now: at });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof SignatureError);
    return error.fault.kind;
  }
}

test("what was signed is believed: the key, the region, the service", () => {
  const { accessKeyId, region, service } = verifySignature(signed(), options);
  assert.deepEqual({ accessKeyId, region, service }, { accessKeyId: KEY, region: "eu-west-1", service: "sts" });
});

test("whatever is asked for, both ends agree on its signature", () => {
  const text = fc.string({ unit: fc.constantFrom(..."aZ09 -_.~&<>\"'=+/%é漢!*()$;:@,?#[]"), maxLength: 12 });
  const call = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT"),
    path: fc
      .tuple(fc.array(text, { maxLength: 3 }), fc.array(fc.tuple(text, text), { maxLength: 3 }))
      .map(
        ([segments, query]) =>
          `/${segments.map(encodeURIComponent).join("/")}?${new URLSearchParams(query).toString()}`,
      ),
    service: fc.constantFrom("s3", "route53"),
    body: fc.uint8Array({ maxLength: 20 }),
    headers: text.map((value) => ({ host: "localhost", "x-amz-meta-note": encodeURIComponent(value) })),
  });
  fc.assert(
    fc.property(call, (each) => void verifySignature(signed(each), options)),
    { seed: 5 },
  );
});

test("anything that is changed on the way is noticed", () => {
  const request = signed();
  const { authorization = "" } = request.headers;
  assert.equal(faultOf({ ...request, body: Buffer.from("Action=Other") }), "mismatch");
  assert.equal(faultOf({ ...request, path: "/other" }), "mismatch");
  assert.equal(faultOf({ ...request, path: "/?Action=Other" }), "mismatch");
  assert.equal(faultOf({ ...request, method: "PUT" }), "mismatch");
  assert.equal(faultOf({ ...request, headers: { ...request.headers, host: "elsewhere" } }), "mismatch");
  const otherRegion = authorization.replace("eu-west-1", "us-east-1");
  assert.equal(faultOf({ ...request, headers: { ...request.headers, authorization: otherRegion } }), "mismatch");
  const noSignature = authorization.replace(/Signature=.*/, "Signature=00");
  assert.equal(faultOf({ ...request, headers: { ...request.headers, authorization: noSignature } }), "mismatch");
});

test("a signature is good for fifteen minutes to both sides", () => {
  assert.equal(faultOf(signed(), now + 15 * minute), undefined);
  assert.equal(faultOf(signed(), now + 15 * minute + 1), "skewed");
  assert.equal(faultOf(signed(), now - 15 * minute), undefined);
  assert.equal(faultOf(signed(), now - 15 * minute - 1), "skewed");
});

test("unknown keys and missing or broken signatures are told apart", () => {
  assert.equal(faultOf(signed({ credentials: { accessKeyId: "AKIAOTHER", secretAccessKey: SECRET } })), "unknown key");
  assert.equal(faultOf({ ...signed(), headers: { host: "localhost" } }), "missing");
  const { authorization = "", ...headers } = signed().headers;
  const broken = [
    "Basic dXNlcjpwYXNz",
    "AWS4-HMAC-SHA256",
    "AWS4-HMAC-SHA256 Credential=,SignedHeaders=,Signature=",
    authorization.replace("aws4_request", "other"),
    authorization.replace("20130524", "20130523"),
    authorization.replace("SignedHeaders=host;", "SignedHeaders="),
    authorization.replace(/, Signature=.*/, ""),
  ];
  for (const each of broken) {
    assert.equal(faultOf({ ...signed(), headers: { ...headers, authorization: each } }), "incomplete", each);
  }
  const { "x-amz-date": _date, ...undated } = signed().headers;
  assert.equal(faultOf({ ...signed(), headers: undated }), "incomplete");
});

test("a key with a session needs its token, until it expires", () => {
  const session = { accessKeyId: "ASIASESSION", secretAccessKey: "secret" };
  assert.equal(faultOf(signed({ credentials: { ...session, sessionToken: "token" } })), undefined);
  assert.equal(faultOf(signed({ credentials: { ...session, sessionToken: "other" } })), "wrong token");
  assert.equal(faultOf(signed({ credentials: session })), "wrong token");
  assert.equal(faultOf(signed({ credentials: { ...credentials, sessionToken: "token" } })), "wrong token");
  const late = signed({ credentials: { ...session, sessionToken: "token" } });
  assert.equal(faultOf(late, now + minute), "token expired");
});

test("S3 compares the body with the digest that was signed, unless it is said not to be signed", () => {
  const s3 = { service: "s3", method: "PUT", path: "/bucket/key", body: Buffer.from("one") };
  assert.equal(faultOf(signed(s3)), undefined);
  assert.equal(faultOf({ ...signed(s3), body: Buffer.from("two") }), "wrong body");
  const unsigned = { ...s3, headers: { host: "localhost", "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } };
  assert.equal(faultOf({ ...signed(unsigned), body: Buffer.from("two") }), undefined);
});

test("S3 takes no header of Amazon's that is not signed", () => {
  const request = signed({ service: "s3", method: "PUT", path: "/bucket/key" });
  assert.equal(
    faultOf({ ...request, headers: { ...request.headers, "x-amz-acl": "public-read" } }),
    "unsigned headers",
  );
});

const PRESIGNED =
  "/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2F" +
  "aws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=" +
  "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";

test("the published example of a presigned address is taken until its time is over", () => {
  const request = {
    method: "GET",
    path: PRESIGNED,
    headers: { host: "examplebucket.s3.amazonaws.com" },
    body: empty,
  };
  const day = 24 * 60 * minute;
  assert.equal(faultOf(request), undefined);
  assert.equal(faultOf(request, now + day), undefined);
  assert.equal(faultOf(request, now + day + 1), "presigned expired");
  assert.equal(faultOf(request, now - day), "skewed");
  assert.equal(faultOf({ ...request, path: PRESIGNED.replace("test.txt", "other.txt") }), "mismatch");
  assert.equal(faultOf({ ...request, path: PRESIGNED.replace("86400", "86401") }), "mismatch");
  assert.equal(faultOf({ ...request, path: PRESIGNED.replace("86400", "604801") }), "incomplete");
  assert.equal(faultOf({ ...request, path: PRESIGNED.replace("&X-Amz-Expires=86400", "") }), "incomplete");
});
