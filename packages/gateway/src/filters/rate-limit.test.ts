import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../exchange/answer.ts";
import { StateKeeper } from "../kept/state-keeper.ts";
import type { Keeping } from "../kept/state-keeper.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import { limitKey, needsIdentity, rateLimitFilter } from "./rate-limit.ts";
import { madeAround, madeCall } from "./testing/made-call.ts";

const spec = { enabled: true, requestsPerSecond: 1, burst: 1 };
const ask = (filter: Filter, call: Call = madeCall()): Answer | undefined =>
  filter.request?.(call) as Answer | undefined;

test("what is too much is answered with 429 and told when to come again", () => {
  const around = madeAround();
  const filter = rateLimitFilter(spec, around);
  assert.equal(ask(filter), undefined);
  const answer = ask(filter);
  assert.equal(answer?.status, 429);
  assert.equal(answer?.origin, "rate_limited");
  assert.equal(answer?.fields.get("retry-after"), "1");
  assert.equal(answer?.fields.get("x-ratelimit-limit"), "1");
  assert.equal(answer?.fields.get("x-ratelimit-remaining"), "0");
  around.clock.advance(1000);
  assert.equal(ask(filter), undefined);
});

test("with perClient each client has a limit of its own", () => {
  const filter = rateLimitFilter({ ...spec, perClient: true }, madeAround());
  assert.equal(ask(filter, madeCall({ clientAddress: "192.0.2.1" })), undefined);
  assert.equal(ask(filter, madeCall({ clientAddress: "192.0.2.2" })), undefined);
  assert.equal(ask(filter, madeCall({ clientAddress: "192.0.2.1" }))?.status, 429);
});

test("with a key each of its values has a limit of its own, and requests without it share one", () => {
  const byHeader = rateLimitFilter({ ...spec, key: { header: "X-Tenant" } }, madeAround());
  assert.equal(ask(byHeader, madeCall({ fields: { "x-tenant": "a" } })), undefined);
  assert.equal(ask(byHeader, madeCall({ fields: { "x-tenant": "b" } })), undefined);
  assert.equal(ask(byHeader, madeCall({ fields: { "x-tenant": "a" } }))?.status, 429);
  assert.equal(ask(byHeader), undefined);
  assert.equal(ask(byHeader, madeCall({ clientAddress: "192.0.2.99" }))?.status, 429);

  const byQuery = rateLimitFilter({ ...spec, key: { query: "tenant" } }, madeAround());
  assert.equal(ask(byQuery, madeCall({ target: "/?tenant=a" })), undefined);
  assert.equal(ask(byQuery, madeCall({ target: "/?tenant=%61" }))?.status, 429);
});

test("a long value is told apart from others and remembered as a short one", () => {
  const keyOf = limitKey({ ...spec, key: { header: "x-tenant" } });
  const of = (tenant: string): string => keyOf(madeCall({ fields: { "x-tenant": tenant } }));
  const long = "k".repeat(15_000);
  assert.ok(of(long).length <= 66);
  assert.equal(of(long), of(long));
  assert.notEqual(of(long), of(`${long}k`));
  assert.notEqual(of(long), of(of(long).slice(2)));
  assert.equal(of("k".repeat(64)), `k ${"k".repeat(64)}`);
});

test("a limit by claim counts what authentication found out, and says that it needs it", () => {
  const byClaim = { ...spec, key: { claim: "org" } };
  assert.equal(needsIdentity(byClaim), true);
  assert.equal(needsIdentity(spec), false);
  const filter = rateLimitFilter(byClaim, madeAround());
  const of = (org: string): Call =>
    madeCall({
      identity: {
        method: "jwt",
        subject: "s",
        roles: [],
        groups: [],
        scopes: [],
        permissions: [],
        claims: new Map([["org", org]]),
      },
    });
  assert.equal(ask(filter, of("a")), undefined);
  assert.equal(ask(filter, of("b")), undefined);
  assert.equal(ask(filter, of("a"))?.status, 429);
});

test("counts outlive an edit of something else, and begin anew when the limit changes", () => {
  const keeper = new StateKeeper();
  const around = madeAround();
  let keeping: Keeping | undefined;
  const made = (limit: typeof spec): Filter => {
    const before = keeping;
    keeping = keeper.keeping();
    const filter = rateLimitFilter(limit, { ...around, kept: keeping.state });
    before?.release()();
    return filter;
  };
  assert.equal(ask(made(spec)), undefined);
  assert.equal(ask(made(spec))?.status, 429);
  assert.equal(ask(made({ ...spec, burst: 2 })), undefined);
});

test("a shared store is reported, as it is not there", () => {
  const around = madeAround();
  rateLimitFilter({ ...spec, store: "redis" }, around);
  assert.deepEqual(
    around.notes.map(({ field, severity }) => [field, severity]),
    [["spec.rateLimit.store", "warning"]],
  );
});
