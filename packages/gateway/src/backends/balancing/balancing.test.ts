import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seededRandom } from "@gatewright/ports";
import { madeCall } from "../../filters/testing/made-call.ts";
import type { Balanced, Balancer } from "./balancer.ts";
import { byChance, leastRequest } from "./by-chance.ts";
import { consistentHash } from "./consistent-hash.ts";
import { requestKey } from "./request-key.ts";
import { roundRobin } from "./round-robin.ts";

const members = (...weights: number[]): (Balanced & { active: number })[] =>
  weights.map((weight, at) => ({ address: `10.0.0.${at + 1}:80`, weight, active: 0, turn: 0 }));

function shares(balancer: Balancer, among: readonly Balanced[], times: number): number[] {
  const counts = new Map(among.map((member) => [member, 0]));
  for (let at = 0; at < times; at++) {
    const chosen = balancer.choose(among, madeCall({ clientAddress: `192.0.2.${at}` }));
    counts.set(chosen, counts.get(chosen)! + 1);
  }
  return [...counts.values()];
}

const someWeights = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 8 });

test("round robin gives exactly the shares of the weights in every round, and equal ones when all are 0", () => {
  fc.assert(
    fc.property(someWeights, (weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const among = members(...weights);
      for (let round = 0; round < 2; round++) {
        const got = shares(roundRobin, among, total === 0 ? weights.length : total);
        assert.deepEqual(got, total === 0 ? weights.map(() => 1) : weights);
      }
    }),
  );
});

test("chance comes close to the weights, and gives nothing to 0", () => {
  const [a = 0, b = 0, c] = shares(byChance(seededRandom(3)), members(1, 3, 0), 20_000);
  assert.equal(c, 0);
  assert.ok(Math.abs(a / (a + b) - 0.25) < 0.02);
});

test("of two that are drawn the less busy one is chosen, weight for weight", () => {
  const [light, heavy] = members(1, 4) as [ReturnType<typeof members>[0], ReturnType<typeof members>[0]];
  const balancer = leastRequest(seededRandom(3));
  heavy.active = 2;
  assert.equal(balancer.choose([light, heavy], madeCall()), heavy);
  heavy.active = 4;
  assert.equal(balancer.choose([light, heavy], madeCall()), light);
  const idle = members(1, 1, 1, 1);
  for (let at = 0; at < 400; at++) balancer.choose(idle, madeCall()).active++;
  assert.ok(idle.every(({ active }) => Math.abs(active - 100) < 10));
});

test("a key stays where it is when others come and go, and keys are spread by weight", () => {
  const keys = Array.from({ length: 4000 }, (_, at) => `user-${at}`);
  const balancer = consistentHash(requestKey({ header: "X-User" }), roundRobin);
  const where = (key: string, among: readonly Balanced[]): string =>
    balancer.choose(among, madeCall({ fields: { "x-user": key } })).address;
  const all = members(1, 1, 1, 2);
  const before = new Map(keys.map((key) => [key, where(key, all)]));
  const gone = all[1]!.address;
  for (const [key, address] of before) {
    if (address !== gone)
      assert.equal(
        where(
          key,
          all.filter((member) => member.address !== gone),
        ),
        address,
      );
  }
  const heavy = [...before.values()].filter((address) => address === all[3]!.address).length;
  assert.ok(Math.abs(heavy / keys.length - 0.4) < 0.04, String(heavy));
});

test("keys are read from header, cookie, query or address", () => {
  const call = madeCall({
    target: "/?u=a%20b",
    fields: { "x-user": "h", cookie: "x=1; u=c; u=d" },
    clientAddress: "192.0.2.9",
  });
  assert.equal(requestKey({ header: "X-User" })(call), "h");
  assert.equal(requestKey({ cookie: "u" })(call), "c");
  assert.equal(requestKey({ query: "u" })(call), "a b");
  assert.equal(requestKey({ sourceAddress: true })(call), "192.0.2.9");
  assert.equal(requestKey({ header: "none" })(call), "");
});
