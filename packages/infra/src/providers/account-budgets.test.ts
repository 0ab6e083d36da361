import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import { AccountBudgets } from "./account-budgets.ts";
import type { Place } from "./account-budgets.ts";

const RATES = { sqs: [{ capacity: 1, refill: 1 }], iam: [{ capacity: 1, refill: 1 }] };
const place = (account: string, region: string, endpoint?: string): Place => ({ account, region, endpoint });

/** Whether a call may leave at once. */
async function leaves(budgets: AccountBudgets, at: Place, service: "sqs" | "iam" = "sqs"): Promise<boolean> {
  const stop = new AbortController();
  let left = false;
  const taken = budgets
    .of(at)
    .take({ service, operation: "X", repeatable: true, input: {} }, stop.signal)
    .then(
      () => (left = true),
      () => {},
    );
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  stop.abort();
  await taken;
  return left;
}

test("who leads to the same account and region shares its rates; others have their own", async () => {
  const budgets = new AccountBudgets(new ManualClock(), RATES);
  assert.equal(await leaves(budgets, place("1", "eu-west-1")), true);
  assert.equal(await leaves(budgets, place("1", "eu-west-1")), false);
  assert.equal(await leaves(budgets, place("1", "us-east-1")), true);
  assert.equal(await leaves(budgets, place("2", "eu-west-1")), true);
  assert.equal(await leaves(budgets, place("1", "eu-west-1", "http://stack.example")), true);
});

test("IAM counts for the account, wherever it is asked from", async () => {
  const budgets = new AccountBudgets(new ManualClock(), RATES);
  assert.equal(await leaves(budgets, place("1", "eu-west-1"), "iam"), true);
  assert.equal(await leaves(budgets, place("1", "us-east-1"), "iam"), false);
});

test("places that nobody leads to any more are forgotten, those in use are not", async () => {
  const budgets = new AccountBudgets(new ManualClock(), RATES);
  const [used, left] = [place("1", "eu-west-1"), place("2", "eu-west-1")];
  for (const each of [used, left]) assert.equal(await leaves(budgets, each), true);
  budgets.keep([used]);
  assert.equal(await leaves(budgets, used), false);
  assert.equal(await leaves(budgets, left), true);
});
