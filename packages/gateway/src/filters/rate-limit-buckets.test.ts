import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { RateLimitBuckets } from "./rate-limit-buckets.ts";

test("a burst goes at once, then one each time that a token would have come", () => {
  const buckets = new RateLimitBuckets({ perSecond: 10, burst: 3 }, 100);
  assert.deepEqual(
    [0, 0, 0].map((now) => buckets.ask("a", now)),
    [2, 1, 0].map((remaining) => ({ allowed: true, remaining })),
  );
  assert.deepEqual(buckets.ask("a", 0), { allowed: false, retryAfterMs: 100 });
  assert.equal(buckets.ask("a", 99).allowed, false);
  assert.equal(buckets.ask("a", 100).allowed, true);
  assert.equal(buckets.ask("a", 100).allowed, false);
  assert.equal(buckets.ask("b", 100).allowed, true);
});

test("it allows exactly what a bucket of tokens does", () => {
  const asking = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
  fc.assert(
    fc.property(asking, fc.constantFrom(1, 2, 4, 8, 125), fc.integer({ min: 1, max: 20 }), (gaps, perSecond, burst) => {
      const buckets = new RateLimitBuckets({ perSecond, burst }, 100);
      // In thousandths of a token, so that the model is exact.
      let tokens = burst * 1000;
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        tokens = Math.min(burst * 1000, tokens + gap * perSecond);
        const verdict = buckets.ask("key", now);
        assert.equal(verdict.allowed, tokens >= 1000);
        if (verdict.allowed) {
          tokens -= 1000;
          assert.equal(verdict.remaining, Math.floor(tokens / 1000));
        } else assert.ok(Math.abs(verdict.retryAfterMs - (1000 - tokens) / perSecond) < 1e-3);
      }
    }),
  );
});

test("what it remembers is bounded, and keys that are in use are kept", () => {
  const buckets = new RateLimitBuckets({ perSecond: 0.001, burst: 1 }, 1000);
  for (let at = 0; at < 100_000; at++) {
    buckets.ask(`key ${at}`, at / 1000);
    assert.ok(buckets.size <= 1000);
  }
  assert.equal(buckets.ask("key 99999", 100).allowed, false);
});

test("a key that is a piece of a longer text does not hold on to all of it", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const buckets = new RateLimitBuckets({ perSecond: 1, burst: 1 }, 1000);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 512; number++) {
    const head = Buffer.alloc(128 * 1024, `key-of-a-client-${number}-`).toString("latin1");
    buckets.ask(`k ${head.slice(0, 40)}`, 0);
  }
  collectGarbage();
  assert.ok(process.memoryUsage().heapUsed - before < 16 * 1024 * 1024);
  assert.equal(buckets.size, 512);
});
