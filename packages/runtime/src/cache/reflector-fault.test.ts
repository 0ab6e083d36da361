import assert from "node:assert/strict";
import { test } from "node:test";
import { expired, resourceVersionTooLarge, StatusError, tooManyRequests } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";
import type { TransportErrorCode } from "../transport/transport-error.ts";
import { faultOf } from "./reflector-fault.ts";

test("each answer of a server means one thing for a reflector", () => {
  const meanings: Readonly<Record<string, readonly number[]>> = {
    gone: [410],
    missing: [404],
    unsupported: [400, 405, 406, 415, 422],
    unavailable: [401, 403, 429, 503],
    cut: [408, 502, 504],
    broken: [409, 418, 500],
  };
  for (const [kind, codes] of Object.entries(meanings)) {
    for (const code of codes) assert.equal(faultOf(new StatusError({ code, message: "no" })).kind, kind, String(code));
  }
});

test("a version that the server has not reached is told from other time-outs", () => {
  assert.equal(faultOf(resourceVersionTooLarge(9, 8)).kind, "ahead");
  assert.equal(
    faultOf(new StatusError({ code: 504, message: "Timeout: Too large resource version: 9" })).kind,
    "ahead",
  );
});

test("each failure of a transport means one thing for a reflector", () => {
  const meanings: Readonly<Record<TransportErrorCode, string>> = {
    refused: "unavailable",
    tls: "unavailable",
    credentials: "unavailable",
    cut: "cut",
    timeout: "cut",
    malformed: "broken",
  };
  for (const [code, kind] of Object.entries(meanings)) {
    assert.equal(faultOf(new TransportError(code as TransportErrorCode, "no")).kind, kind, code);
  }
});

test("the wait that a server asks for is kept, and anything else thrown is broken", () => {
  assert.deepEqual(faultOf(tooManyRequests("slow down", 3)), {
    kind: "unavailable",
    message: "slow down",
    retryAfterMs: 3_000,
  });
  assert.equal(faultOf(expired("old")).retryAfterMs, 0);
  assert.equal(faultOf(new RangeError("odd")).kind, "broken");
  assert.equal(faultOf("odd").message, "odd");
});
