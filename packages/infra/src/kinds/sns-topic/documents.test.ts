import assert from "node:assert/strict";
import { test } from "node:test";
import { sameDelivery } from "./documents.ts";

const filled = {
  http: {
    defaultHealthyRetryPolicy: {
      minDelayTarget: 20,
      maxDelayTarget: 20,
      numRetries: 7,
      numMaxDelayRetries: 0,
      backoffFunction: "linear",
    },
    disableSubscriptionOverrides: false,
    defaultThrottlePolicy: null,
    defaultRequestPolicy: { headerContentType: "text/plain; charset=UTF-8" },
  },
};
const http = (more: object): string => JSON.stringify({ http: more });
const have = (more: object): string => http({ ...filled.http, ...more });
const WANT = http({ defaultHealthyRetryPolicy: { numRetries: 7 } });

test("a delivery policy that SNS filled up with what it takes for granted is the wanted one", () => {
  assert.ok(sameDelivery(WANT, have({})));
  assert.ok(sameDelivery(WANT, WANT));
  assert.ok(sameDelivery('{"http": {"defaultThrottlePolicy": null}}', http({ disableSubscriptionOverrides: false })));
  assert.ok(sameDelivery("{}", undefined));
});

test("what only SNS has of a delivery policy was taken out of the wish or put in by others, and differs", () => {
  const retries = { numRetries: 7 };
  for (const other of [
    have({ defaultThrottlePolicy: { maxReceivesPerSecond: 5 } }),
    have({ disableSubscriptionOverrides: true }),
    have({ defaultRequestPolicy: { headerContentType: "application/json" } }),
    have({ defaultHealthyRetryPolicy: { ...retries, maxDelayTarget: 60 } }),
    have({ defaultHealthyRetryPolicy: { ...retries, backoffFunction: "exponential" } }),
    have({ defaultHealthyRetryPolicy: { numRetries: 3 } }),
    undefined,
    "{}",
  ]) {
    assert.equal(sameDelivery(WANT, other), false, other);
  }
  assert.equal(sameDelivery(http({ defaultHealthyRetryPolicy: { minDelayTarget: 5 } }), have({})), false);
  const none = http({ defaultHealthyRetryPolicy: { numRetries: 0 } });
  assert.equal(sameDelivery(http({ defaultHealthyRetryPolicy: {} }), none), false);
});
