import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatGoDuration, humanDuration, parseGoDuration } from "./duration.ts";

test("Go durations are read to the nanosecond", () => {
  assert.equal(parseGoDuration("1h15m30.918273645s"), 4_530_918_273_645n);
  assert.equal(parseGoDuration("-1.5h"), -5_400_000_000_000n);
  assert.equal(parseGoDuration("1µs"), 1000n);
  assert.equal(parseGoDuration("0"), 0n);
  for (const bad of ["", "1", "s", ".s", "1h1", "1d", "9223372036854775808ns"])
    assert.equal(parseGoDuration(bad), undefined, bad);
});

test("a printed duration reads back as itself", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
      (n) => parseGoDuration(formatGoDuration(n)) === n,
    ),
  );
});

test("ages have two or three digits that matter", () => {
  const second = 1000;
  const hour = 3600 * second;
  const day = 24 * hour;
  const shown = [
    -5 * second,
    -1,
    0,
    119 * second,
    120 * second,
    330 * second,
    2 * hour,
    3 * hour,
    5 * hour + 60_000,
    47 * hour,
    2 * day + 5 * hour,
    8 * day,
    800 * day,
    3000 * day,
  ];
  assert.deepEqual(shown.map(humanDuration), [
    "<invalid>",
    "0s",
    "0s",
    "119s",
    "2m",
    "5m30s",
    "120m",
    "3h",
    "5h1m",
    "47h",
    "2d5h",
    "8d",
    "2y70d",
    "8y",
  ]);
});
