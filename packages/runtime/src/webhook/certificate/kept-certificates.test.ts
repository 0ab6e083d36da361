import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { certificateFacts, certificatesIn, isIssuedBy } from "@gatewright/certificates";
import { seededRandom } from "@gatewright/ports";
import { checkedPolicy, isSound, nextCertificates } from "./kept-certificates.ts";
import type { KeptCertificates } from "./kept-certificates.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 1);
const policy = checkedPolicy({
  hosts: ["a.default.svc", "0:0::1"],
  leafLifeMs: 30 * DAY,
  authorityLifeMs: 200 * DAY,
});

/** Steps until there is nothing to do. */
async function settled(
  kept: KeptCertificates | undefined,
  now: number,
  known: string | undefined,
  random = seededRandom(),
  by = policy,
): Promise<KeptCertificates> {
  for (let steps = 0, at = kept; ; steps++) {
    assert.ok(steps < 6, "it comes to rest");
    const next = await nextCertificates(at, by, { now, known, random });
    if (next === at) return next;
    at = next;
  }
}

test("a leaf is replaced at two thirds of its life, by the same authority", async () => {
  const first = await settled(undefined, START, undefined);
  assert.ok(isSound(first) && first.next === undefined);
  assert.equal(await settled(first, START + 19 * DAY, undefined), first);
  const second = await settled(first, START + 20 * DAY, undefined);
  assert.equal(second.authority, first.authority);
  assert.equal(certificateFacts(second.leaf.certificate).notAfter, START + 50 * DAY);
});

test("a new authority is published first, and signs when callers are known to have it", async () => {
  const random = seededRandom();
  const first = await settled(undefined, START, undefined, random);
  let kept = first;
  for (let day = 10; day <= 140; day += 10) kept = await settled(kept, START + day * DAY, first.bundle, random);
  assert.ok(kept.next === undefined && kept.authority === first.authority);
  const published = await settled(kept, START + 141 * DAY, first.bundle, random);
  assert.ok(published.next !== undefined && published.authority === first.authority);
  assert.deepEqual(certificatesIn(published.bundle), [first.authority.certificate, published.next.certificate]);
  const waiting = await settled(published, START + 160 * DAY, first.bundle, random);
  assert.equal(waiting.authority, first.authority, "callers are not known to have it");
  const changed = await settled(waiting, START + 161 * DAY, published.bundle, random);
  assert.equal(changed.authority, published.next);
  assert.equal(changed.bundle, published.bundle, "the old one stays trusted");
  const later = await settled(changed, START + 200 * DAY, changed.bundle, random);
  assert.deepEqual(certificatesIn(later.bundle), [published.next.certificate], "until it has ended");
});

test("an authority that could not be told of signs when the old one has ended, and not before", async () => {
  const random = seededRandom();
  let kept = await settled(undefined, START, undefined, random);
  const { authority } = kept;
  for (let day = 5; day < 200; day += 5) {
    kept = await settled(kept, START + day * DAY, undefined, random);
    assert.equal(kept.authority, authority);
    const { notAfter } = certificateFacts(kept.leaf.certificate);
    assert.ok(notAfter > START + day * DAY && notAfter <= START + 200 * DAY, "no leaf outlives its authority");
  }
  const { next } = kept;
  assert.ok(next !== undefined);
  kept = await settled(kept, START + 200 * DAY, undefined, random);
  assert.deepEqual([kept.authority, kept.next, kept.bundle], [next, undefined, next.certificate]);
});

test("names that are missing are added, and those of other replicas stay", async () => {
  const first = await settled(undefined, START, undefined);
  const random = seededRandom(2);
  const other = { ...policy, hosts: ["b.default.svc"] };
  const both = await nextCertificates(first, other, { now: START, known: undefined, random });
  assert.deepEqual(certificateFacts(both.leaf.certificate).hosts, ["a.default.svc", "::1", "b.default.svc"]);
  assert.equal(await settled(both, START, undefined), both);
});

/** That callers whose clock is right trust the leaf. */
function assertServes({ bundle, authority, leaf }: KeptCertificates, now: number): void {
  for (const { certificate } of [authority, leaf]) {
    const { notBefore, notAfter } = certificateFacts(certificate);
    assert.ok(notBefore <= now && now < notAfter);
  }
  assert.ok(isIssuedBy(leaf.certificate, authority.certificate));
  assert.ok(certificatesIn(bundle).includes(authority.certificate));
}

test("an authority that was made by a clock days ahead is made anew, and stays trusted", async () => {
  const random = seededRandom();
  const ahead = await settled(undefined, START + 3 * DAY, undefined, random);
  const kept = await settled(ahead, START, ahead.bundle, random);
  assertServes(kept, START);
  assert.deepEqual(certificatesIn(kept.bundle), [ahead.authority.certificate, kept.authority.certificate]);
  assert.equal(await settled(kept, START + 3 * DAY, ahead.bundle, random), kept, "also by the clock that is ahead");
});

test("a leaf that was made by a clock days ahead is made anew, by the same authority", async () => {
  const random = seededRandom();
  const first = await settled(undefined, START, undefined, random);
  const ahead = await settled(first, START + 21 * DAY, first.bundle, random);
  assert.notEqual(ahead.leaf, first.leaf);
  const kept = await settled(ahead, START, first.bundle, random);
  assertServes(kept, START);
  assert.deepEqual([kept.authority, kept.bundle], [first.authority, first.bundle]);
});

test("a next authority that does not hold yet signs nothing, and is made anew when it is needed before it holds", async () => {
  const random = seededRandom();
  const first = await settled(undefined, START, undefined, random);
  const ahead = await settled(first, START + 190 * DAY, first.bundle, random);
  assert.ok(ahead.next !== undefined);
  const waiting = await settled(ahead, START, ahead.bundle, random);
  assert.deepEqual([waiting.authority, waiting.next], [first.authority, ahead.next]);
  const needed = await settled(waiting, START + 141 * DAY, waiting.bundle, random);
  assert.ok(needed.next !== undefined && needed.next !== ahead.next);
  const changed = await settled(needed, START + 142 * DAY, needed.bundle, random);
  assert.equal(changed.authority, needed.next);
  assertServes(changed, START + 142 * DAY);
});

test("replicas whose clocks differ by hours come to rest, and by years do not fill the bundle", async () => {
  const random = seededRandom();
  const ahead = await settled(undefined, START + 5 * HOUR, undefined, random);
  let kept = await settled(ahead, START, ahead.bundle, random);
  for (const hour of [0, 5, 1, 6]) assert.equal(await settled(kept, START + hour * HOUR, undefined, random), kept);
  for (let round = 0; round < 5; round++) {
    kept = await settled(kept, START + 365 * DAY, undefined, random);
    kept = await settled(kept, START, undefined, random);
    assertServes(kept, START);
    assert.ok(certificatesIn(kept.bundle).length <= 2);
  }
});

test("times that cannot work out are refused", () => {
  assert.throws(() => checkedPolicy({ ...policy, leafLifeMs: HOUR }), TypeError);
  assert.throws(() => checkedPolicy({ ...policy, authorityLifeMs: 100 * DAY }), TypeError);
  assert.throws(() => checkedPolicy({ ...policy, hosts: [] }), TypeError);
});

/** What does not change is read once: this test asks of the same few certificates again and again. */
function once<T>(read: (pem: string, by: string) => T): (pem: string, by?: string) => T {
  const known = new Map<string, T>();
  return (pem, by = "") => {
    const key = pem + by;
    const value = known.get(key) ?? read(pem, by);
    known.set(key, value);
    return value;
  };
}

const OVERLAP = DAY / 2;
const brief = { ...policy, leafLifeMs: 4 * DAY, authorityLifeMs: 20 * DAY };

/**
 * Two replicas and an API server while the authority changes a few times. They act in any order: a replica looks after the Secret
 * and serves with what it found, the bundle is injected, the API server hears of it. Each may be slow, within bounds: replicas a day,
 * the injection two, and what was injected is heard before the overlap has passed.
 */
test("there is no moment at which the API server would distrust a replica", async () => {
  const act = fc.tuple(fc.constantFrom("look 0", "look 1", "inject", "hear", "wait"), fc.integer({ min: 1, max: 8 }));
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 250, maxLength: 350 }), fc.integer({ min: 1 }), async (acts, seed) => {
      const random = seededRandom(seed);
      const [facts, issued] = [once((pem) => certificateFacts(pem)), once((leaf, by) => isIssuedBy(leaf, by))];
      let now = START;
      let stored = await settled(undefined, now, undefined, random, brief);
      let injected = { bundle: stored.bundle, at: now };
      let heard = injected.bundle;
      let lagging = now;
      const looked = [now, now];
      const serving = [stored.leaf, stored.leaf];

      const inject = (): void => {
        if (injected.bundle !== stored.bundle) injected = { bundle: stored.bundle, at: now };
        lagging = now;
      };
      const look = async (replica: number): Promise<void> => {
        stored = await settled(stored, now, now - injected.at >= OVERLAP ? injected.bundle : undefined, random, brief);
        [serving[replica], looked[replica]] = [stored.leaf, now];
      };
      const check = (): void => {
        const bundle = certificatesIn(heard).filter((each) => facts(each).notAfter > now);
        for (const { certificate } of serving) {
          assert.ok(facts(certificate).notBefore <= now && now < facts(certificate).notAfter, "a leaf holds");
          assert.ok(
            bundle.some((each) => issued(certificate, each)),
            "its authority is trusted",
          );
        }
      };
      for (const [what, hours] of acts) {
        if (what === "inject") inject();
        else if (what === "hear") heard = injected.bundle;
        else if (what !== "wait") await look(what === "look 0" ? 0 : 1);
        check();
        now += hours * HOUR;
        if (now - injected.at >= OVERLAP) heard = injected.bundle;
        check();
        for (const replica of [0, 1]) if (now - looked[replica]! >= DAY) await look(replica);
        if (now - lagging >= 2 * DAY) inject();
        check();
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
});
