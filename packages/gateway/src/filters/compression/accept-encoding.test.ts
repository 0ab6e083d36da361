import assert from "node:assert/strict";
import { test } from "node:test";
import { ALGORITHMS, chosenAlgorithm } from "./accept-encoding.ts";

const CASES: readonly [accepted: string | undefined, expected: string | undefined][] = [
  [undefined, undefined],
  ["", undefined],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["gzip, br", "br"],
  ["gzip;q=1.0, br;q=0.9", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["gzip;q=0", undefined],
  ["*", "zstd"],
  ["*;q=0.5, gzip", "gzip"],
  ["*;q=0", undefined],
  ["zstd;q=0, *", "br"],
  ["identity", undefined],
  ["identity;q=1, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["gzip;q=nonsense", undefined],
  ["gzip;q=2", undefined],
  ["gzip ; q=0.8 , br ; Q=0.9", "br"],
  ["compress", undefined],
  [",,;q=1,gzip", "gzip"],
];

for (const [accepted, expected] of CASES)
  test(`${JSON.stringify(accepted)} asks for ${expected ?? "nothing"}`, () => {
    assert.equal(chosenAlgorithm(accepted, ALGORITHMS), expected);
  });

test("between equals the order of the offer decides", () => {
  assert.equal(chosenAlgorithm("gzip, br, zstd", ["gzip", "br"]), "gzip");
});
