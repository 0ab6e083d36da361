import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isEnvVarName,
  isPathSegmentName,
  isQualifiedName,
  isValidLabelValue,
  isValidPortName,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsPathSegment,
} from "./names.ts";

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

test("good names have nothing wrong with them", () => {
  for (const name of ["a", "a1", "1a", "a--b", "a".repeat(63)]) assert.deepEqual(isDNS1123Label(name), []);
  for (const name of ["a.b", "0.1", "a-1.b", "a".repeat(253)]) assert.deepEqual(isDNS1123Subdomain(name), []);
  for (const key of ["a", "A.b_c-d", "example.com/Name", "1"]) assert.deepEqual(isQualifiedName(key), []);
  for (const value of ["", "a", "A_b.c-d", "x".repeat(63)]) assert.deepEqual(isValidLabelValue(value), []);
});

test("a bad subdomain is told the rule, an example and the pattern", () => {
  assert.deepEqual(isDNS1123Subdomain("Bad_Name"), [subdomainText]);
  assert.deepEqual(isDNS1123Subdomain("a".repeat(254)), ["must be no more than 253 characters"]);
});

test("a label that is a good subdomain is only told of its dots", () => {
  assert.deepEqual(isDNS1123Label("a.b"), ["must not contain dots"]);
  assert.match(isDNS1123Label("-a")[0]!, /e\.g\. 'my-name', {2}or '123-abc', regex used/);
  assert.equal(isDNS1035Label("1a").length, 1);
});

test("the parts of a qualified name are told apart", () => {
  assert.deepEqual(isQualifiedName("/a"), ["prefix part must be non-empty"]);
  assert.match(isQualifiedName("A/b")[0]!, /^prefix part a lowercase RFC 1123 subdomain/);
  assert.deepEqual(isQualifiedName("")[0], "name part must be non-empty");
  assert.deepEqual(isQualifiedName("a".repeat(64)), ["name part must be no more than 63 bytes"]);
  assert.match(
    isQualifiedName("a/b/c")[0]!,
    /^a valid label key must consist of .* with an optional DNS subdomain prefix/,
  );
});

test("lengths count bytes, not characters", () => {
  assert.equal(isValidLabelValue("é".repeat(32))[0], "must be no more than 63 bytes");
});

test("names that a URL cannot carry are refused", () => {
  assert.deepEqual(isPathSegmentName(".."), ["may not be '..'"]);
  assert.deepEqual(isPathSegmentName("a/b%c"), ["may not contain '/'", "may not contain '%'"]);
  assert.deepEqual(isPathSegmentName("system:node"), []);
});

test("a generateName may end in a dash, a name may not", () => {
  assert.deepEqual(nameIsDNSSubdomain("web-", true), []);
  assert.equal(nameIsDNSSubdomain("web-", false).length, 1);
  assert.deepEqual(nameIsDNSLabel("web-", true), []);
  assert.deepEqual(nameIsPathSegment("..", true), ["may not be '..'"]);
});

test("config keys and environment names do not climb directories", () => {
  assert.deepEqual(isConfigMapKey(".."), ["must not be '..'"]);
  assert.deepEqual(isConfigMapKey("..a"), ["must not start with '..'"]);
  assert.deepEqual(isEnvVarName("A.b-c"), []);
  assert.equal(isEnvVarName("1A").length, 1);
});

test("a port name is told everything that is wrong with it", () => {
  assert.deepEqual(isValidPortName("http"), []);
  assert.deepEqual(isValidPortName("-1--1"), [
    "must contain at least one letter (a-z)",
    "must not contain consecutive hyphens",
    "must not begin or end with a hyphen",
  ]);
});

test("a name of megabytes is refused without harm", () => {
  assert.equal(isDNS1123Subdomain("a.".repeat(1_500_000)).length, 2);
});
