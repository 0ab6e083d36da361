import assert from "node:assert/strict";
import { test } from "node:test";
import { ageText, durationText } from "./time-text.ts";

test("ages and durations are told as people read them", () => {
  const now = Date.parse("2030-01-02T00:00:00Z");
  const ages = [
    "2030-01-01T23:59:56Z",
    "2030-01-01T23:58:30Z",
    "2030-01-01T23:50:00Z",
    "2030-01-01T20:00:00Z",
    "2029-12-28T00:00:00Z",
    "nonsense",
  ];
  assert.deepEqual(
    ages.map((since) => ageText(since, now)),
    ["4s", "90s", "10m", "4h", "5d", ""],
  );
  assert.deepEqual([0, 400, 1_500, 12_000, 65_000, 7_500_000, 999_000_000].map(durationText), [
    "under 1 s",
    "400 ms",
    "1.5 s",
    "12 s",
    "1 min 5 s",
    "2 h 5 min",
    "11 days",
  ]);
});
