import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { AccountLimits } from "./account-limits.ts";

type Limit = { readonly Name: string; readonly Max: string };

function createAccount(answers: (Error | readonly Limit[])[], override = {}) {
  const clock = new ManualClock();
  let asked = 0;
  const allAccountLimits = async function* () {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    if (answer instanceof Error) throw answer;
    yield* answer;
  };
  const limits = new AccountLimits({
    aws: { elbv2: { allAccountLimits } },
    clock,
    defaults: DEFAULT_SETTINGS.limits,
    override,
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await nextTurn();
  };
  return { clock, limits, settle, asked: () => asked };
}

const told = (certificates: number): readonly Limit[] => [
  { Name: "certificates-per-application-load-balancer", Max: String(certificates) },
  { Name: "rules-per-application-load-balancer", Max: "200" },
  { Name: "network-load-balancers", Max: "7" },
];

test("limits are AWS's own until the account has told its own, and follow it", async () => {
  const { clock, limits, settle } = createAccount([told(50), told(75)]);
  assert.equal(limits.certificates, 25);
  const stopping = new AbortController();
  const running = limits.run(stopping.signal);
  await settle();
  assert.deepEqual([limits.certificates, limits.rules, limits.targetGroups, limits.headroom], [50, 200, 100, 5]);
  clock.advance(3_600_000);
  await settle();
  assert.equal(limits.certificates, 75);
  stopping.abort();
  await running;
});

test("an account that cannot be asked changes nothing, and is asked again", async () => {
  const { clock, limits, settle, asked } = createAccount([new Error("no"), told(50), new Error("no")]);
  const stopping = new AbortController();
  const running = limits.run(stopping.signal);
  await settle();
  assert.equal(limits.certificates, 25);
  clock.advance(60_000);
  await settle();
  assert.equal(limits.certificates, 50);
  clock.advance(3_600_000);
  await settle();
  assert.deepEqual([asked(), limits.certificates], [3, 50]);
  stopping.abort();
  await running;
});

test("what the platform says counts, whatever the account tells", async () => {
  const { limits, settle } = createAccount([told(50)], { certificates: 10 });
  const stopping = new AbortController();
  const running = limits.run(stopping.signal);
  await settle();
  assert.deepEqual([limits.certificates, limits.rules], [10, 200]);
  stopping.abort();
  await running;
});
