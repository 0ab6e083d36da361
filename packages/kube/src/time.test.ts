import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMicroTime, formatTime, parseTime } from "./time.ts";

test("times are whole seconds in UTC", () => {
  assert.equal(formatTime(1_700_000_000_999), "2023-11-14T22:13:20Z");
  assert.equal(formatMicroTime(1_700_000_000_123.5), "2023-11-14T22:13:20.123500Z");
});

test("any RFC 3339 offset is read", () => {
  assert.equal(parseTime("2024-02-29T01:00:00+01:00"), Date.UTC(2024, 1, 29));
  assert.equal(parseTime("2024-02-29T00:00:00.25Z"), Date.UTC(2024, 1, 29) + 250);
});

test("what no calendar has is no time", () => {
  for (const text of [
    "",
    "2024-02-30T00:00:00Z",
    "2024-13-01T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01",
    "2024-01-01 00:00:00Z",
  ]) {
    assert.equal(parseTime(text), undefined, text);
  }
});
