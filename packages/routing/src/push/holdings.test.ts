import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { gatewayApi, operatorApi } from "@gatewright/gateway-wire";
import { deliverableKey } from "../model/deliverable.ts";
import type { Deliverable } from "../model/deliverable.ts";
import { deliverable } from "../model/testing/deliverables.ts";
import { Holdings } from "./holdings.ts";

const TYPES: Partial<Record<string, operatorApi.ResourceType>> = {
  APIRoute: operatorApi.ResourceType.API_ROUTE,
  Backend: operatorApi.ResourceType.BACKEND,
};
/** A gateway's word on what it has; `remarked`: that there is something to say of all of it. */
const telling = (all: readonly Deliverable[], remarked = false): gatewayApi.GetGatewayStatusResponse =>
  create(gatewayApi.GetGatewayStatusResponseSchema, {
    objects: all.map(({ kind, namespace, name, version }) =>
      create(gatewayApi.HeldObjectSchema, {
        type: TYPES[kind] ?? operatorApi.ResourceType.UNSPECIFIED,
        namespace,
        name,
        resourceVersion: remarked ? "" : version,
      }),
    ),
  });
const [a, b, c] = [deliverable("a"), deliverable("b"), deliverable("c", { kind: "Backend" })];
const nothing = (): boolean => false;
const edited = deliverable("a", { spec: { n: 1 } });

test("what differs is what a gateway does not have in this version; routes go before backends", () => {
  const { set, removed } = new Holdings(telling([c, a, b])).differing([edited], nothing);
  assert.deepEqual(set, [edited]);
  assert.deepEqual(removed.map(deliverableKey), ["APIRoute shop/b", "Backend shop/c"]);
});

test("what is kept stays, though it is not among what the gateway is to have", () => {
  const { removed, kept } = new Holdings(telling([c, a, b])).differing([], (key) => key === "APIRoute shop/a");
  assert.deepEqual(removed.map(deliverableKey), ["APIRoute shop/b", "Backend shop/c"]);
  assert.deepEqual(kept.map(deliverableKey), ["APIRoute shop/a"]);
});

test("what was taken and dropped since counts", () => {
  const holdings = new Holdings(telling([a, b]));
  holdings.moves();
  holdings.took(c);
  holdings.moves();
  holdings.dropped(b);
  assert.deepEqual(holdings.differing([a, c], nothing), { set: [], removed: [], kept: [] });
  assert.equal(holdings.contradicts(telling([a, c]), holdings.moment), false);
});

test("a gateway that lacks something, has more, or has another version contradicts", () => {
  const holdings = new Holdings(telling([a, b]));
  const contradicts = (...now: readonly Deliverable[]) => holdings.contradicts(telling(now), holdings.moment);
  assert.deepEqual(
    [contradicts(a, b), contradicts(a), contradicts(), contradicts(a, b, c), contradicts(edited, b)],
    [false, true, true, true, true],
  );
  assert.equal(holdings.contradicts(telling([a, b], true), holdings.moment), false);
});

test("what it said while something was on its way contradicts nothing", () => {
  const holdings = new Holdings(telling([a]));
  const before = holdings.moment;
  holdings.moves();
  const during = holdings.moment;
  assert.equal(holdings.contradicts(telling([]), before), false);
  holdings.took(b);
  assert.deepEqual(
    [holdings.contradicts(telling([]), before), holdings.contradicts(telling([]), during)],
    [false, false],
  );
  assert.equal(holdings.contradicts(telling([]), holdings.moment), true);
});
