import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import type { Claim } from "./claim.ts";
import { collide } from "./claim.ts";
import { Conflicts } from "./conflicts.ts";
import type { Contender } from "./conflicts.ts";

const claim = (key: string, side?: string): Claim => ({ key, text: key, ...(side !== undefined && { side }) });
const contender = (name: string, year: number, ...wishes: readonly (readonly string[])[]): Contender => ({
  id: `APIRoute shop/${name}`,
  createdAt: `${year}-01-01T00:00:00Z`,
  wishes: wishes.map((wish) => wish.map((key) => claim(key))),
});

suite("who has what", () => {
  test("the older one has it, whichever came first, and the other gets it when that one goes", () => {
    const conflicts = new Conflicts();
    conflicts.set(contender("young", 2031, ["a"]));
    assert.equal(conflicts.ruling("APIRoute shop/young")?.granted, 0);
    const changed = conflicts.set(contender("old", 2030, ["a"]));
    assert.deepEqual([...changed.keys()].toSorted(), ["APIRoute shop/old", "APIRoute shop/young"]);
    assert.deepEqual(conflicts.ruling("APIRoute shop/young"), {
      granted: undefined,
      rival: { id: "APIRoute shop/old", claim: claim("a") },
    });
    assert.deepEqual([...conflicts.remove("APIRoute shop/old").keys()], ["APIRoute shop/young"]);
    assert.equal(conflicts.ruling("APIRoute shop/young")?.granted, 0);
  });

  test("of the same second it is the first by name, and who has nothing stands in nobody's way", () => {
    const conflicts = new Conflicts();
    for (const each of [contender("c", 2030, ["y"]), contender("b", 2030, ["x", "y"]), contender("a", 2030, ["x"])]) {
      conflicts.set(each);
    }
    const granted = ["a", "b", "c"].map((name) => conflicts.ruling(`APIRoute shop/${name}`)?.granted);
    assert.deepEqual(granted, [0, undefined, 0]);
  });

  test("a second wish is granted while the first is not", () => {
    const conflicts = new Conflicts();
    conflicts.set(contender("old", 2030, ["b"]));
    conflicts.set(contender("young", 2031, ["b"], ["a"]));
    assert.deepEqual(conflicts.ruling("APIRoute shop/young")?.granted, 1);
    assert.equal(conflicts.ruling("APIRoute shop/young")?.rival?.id, "APIRoute shop/old");
    conflicts.remove("APIRoute shop/old");
    assert.deepEqual(conflicts.ruling("APIRoute shop/young"), { granted: 0, rival: undefined });
  });

  test("those of one side share, and those of other gateways are not concerned", () => {
    assert.equal(collide(claim("a", "HTTP"), claim("a", "HTTP")), false);
    assert.equal(collide(claim("a", "HTTP"), claim("a", "gRPC")), true);
    assert.equal(collide(claim("a"), claim("a")), true);
    const [inner, outer] = [
      { ...claim("a"), reach: "inner" },
      { ...claim("a"), reach: "outer" },
    ];
    assert.equal(collide(inner, outer), false);
    assert.equal(collide(inner, inner), true);
    assert.equal(collide(inner, claim("a")), true);
  });

  test("after any changes it is as if all had come by age", () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const wish = fc.uniqueArray(key, { maxLength: 3 });
    const step = fc.record({
      name: fc.constantFrom("p", "q", "r", "s", "t"),
      year: fc.integer({ min: 2030, max: 2032 }),
      wishes: fc.option(fc.array(wish, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const [conflicts, all] = [new Conflicts(), new Map<string, Contender>()];
        for (const { name, year, wishes } of steps) {
          const each = contender(name, year, ...(wishes ?? []));
          if (wishes === undefined) {
            conflicts.remove(each.id);
            all.delete(each.id);
          } else {
            conflicts.set(each);
            all.set(each.id, each);
          }
        }
        const held = new Set<string>();
        const byAge = [...all.values()].toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
        for (const { id, wishes } of byAge) {
          const granted = wishes.findIndex((claims) => claims.every((one) => !held.has(one.key)));
          for (const one of wishes[granted] ?? []) held.add(one.key);
          assert.equal(conflicts.ruling(id)?.granted ?? -1, granted, id);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("an edit costs the same among ten thousand", () => {
    const conflicts = new Conflicts();
    for (let n = 0; n < 10_000; n++) conflicts.set(contender(`r${n}`, 2030, [`k${n}`, `l${n}`]));
    const changed = conflicts.set(contender("r1", 2030, ["k2"]));
    assert.equal(changed.size, 2);
  });
});
