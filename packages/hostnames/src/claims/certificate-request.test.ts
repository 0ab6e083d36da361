import assert from "node:assert/strict";
import { test } from "node:test";
import { certificateOrder, certificateRequest, hasFirstName, pauseBefore } from "./certificate-request.ts";
import { claimOf, HOSTNAME, NOW } from "./testing/observations.ts";

const input = {
  cluster: "c",
  uid: "uid-1",
  names: ["b.example.com", "a.example.com"],
  keyAlgorithm: "RSA_2048",
  attempt: 1,
  now: NOW,
};

test("the token is the same for the same names, in any order and at any time, and fits ACM", () => {
  const { token, names } = certificateRequest(input);
  assert.match(token, /^\w{32}$/);
  assert.deepEqual(names, ["a.example.com", "b.example.com"]);
  assert.equal(certificateRequest({ ...input, names: names.toReversed(), now: NOW + 1 }).token, token);
});

test("another attempt, claim, cluster or key is another token", () => {
  const others = [{ attempt: 2 }, { uid: "uid-2" }, { cluster: "d" }, { keyAlgorithm: "EC_prime256v1" }];
  const tokens = [{}, ...others].map((more) => certificateRequest({ ...input, ...more }).token);
  assert.equal(new Set(tokens).size, tokens.length);
});

test("a name that is short enough comes first", () => {
  const long = `${"a".repeat(60)}.example.com`;
  const { names } = certificateOrder(claimOf(), certificateRequest({ ...input, names: [long, HOSTNAME] }), "c");
  assert.deepEqual(names, [HOSTNAME, long]);
  assert.equal(hasFirstName([long]), false);
});

test("a certificate for one name is tagged with whom it is for", () => {
  const request = certificateRequest({ ...input, names: [HOSTNAME] });
  const { tags } = certificateOrder(claimOf({ environment: "prod" }), request, "c");
  const { hostname, namespace, environment } = tags;
  assert.deepEqual([hostname, namespace, environment], [HOSTNAME, "shop", "prod"]);
});

test("each attempt waits longer than the one before, a day at most", () => {
  const pauses = [1, 2, 3, 4, 5].map((attempt) => pauseBefore(certificateRequest({ ...input, attempt }), NOW));
  assert.deepEqual(pauses, [900_000, 3_600_000, 14_400_000, 57_600_000, 86_400_000]);
});
