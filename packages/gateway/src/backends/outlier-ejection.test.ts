import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EJECTION_DEFAULTS, GOOD_STANDING, ejected, mayEject, successRateOutliers } from "./outlier-ejection.ts";

const minute = 60_000;

test("each ejection in a row takes longer, up to a bound, and good behaviour is remembered", () => {
  let standing = ejected(GOOD_STANDING, 0, EJECTION_DEFAULTS);
  assert.equal(standing.until, 30_000);
  standing = ejected(standing, 30_000, EJECTION_DEFAULTS);
  assert.equal(standing.until, 90_000);
  for (let at = 0; at < 20; at++) standing = ejected(standing, standing.until, EJECTION_DEFAULTS);
  assert.equal(ejected(standing, 0, EJECTION_DEFAULTS).until, 5 * minute);
  const long = standing.until + 60 * minute;
  assert.equal(ejected(standing, long, EJECTION_DEFAULTS).until - long, 30_000);
});

test("one may always be left out while another is left, more only up to the percentage", () => {
  const may = (total: number, out: number, available: number): boolean =>
    mayEject(total, out, available, { ...EJECTION_DEFAULTS, maxPercent: 50 });
  assert.equal(may(1, 0, 1), false);
  assert.equal(may(2, 0, 2), true);
  assert.equal(may(2, 1, 1), false);
  assert.equal(may(4, 1, 3), true);
  assert.equal(may(4, 2, 2), false);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.nat({ max: 100 }), (total, percent) => {
      let out = 0;
      while (mayEject(total, out, total - out, { ...EJECTION_DEFAULTS, maxPercent: percent })) out++;
      assert.ok(out < total && (out <= 1 || (out * 100) / total <= percent));
    }),
  );
});

test("an endpoint that succeeds far less often than the others stands out; too few to compare do not", () => {
  const good = { asked: 100, succeeded: 99 };
  const bad = { asked: 100, succeeded: 40 };
  assert.deepEqual(successRateOutliers([good, good, bad, good, good, good], EJECTION_DEFAULTS), [2]);
  assert.deepEqual(successRateOutliers([good, good, good, bad], EJECTION_DEFAULTS), []);
  assert.deepEqual(
    successRateOutliers([good, good, good, good, good, { asked: 5, succeeded: 0 }], EJECTION_DEFAULTS),
    [],
  );
  assert.deepEqual(successRateOutliers([good, good, good, good, good], EJECTION_DEFAULTS), []);
});
