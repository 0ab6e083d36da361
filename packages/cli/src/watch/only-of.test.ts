import assert from "node:assert/strict";
import { test } from "node:test";
import type { Moment } from "@gatewright/explain";
import { onlyOf } from "./only-of.ts";

const moment = (namespace: string): Moment => ({
  at: 0,
  subject: { apiVersion: "gateway.opendi.com/v1alpha1", kind: "GatewayHostnameRequest", namespace, name: "test" },
  what: "Ready",
  state: "ok",
  reason: "Serving",
  message: "",
});

test("who names the namespace with the object is told of no other's that has the same name", () => {
  const isOfShop = onlyOf(["ghr/shop/test"]);
  assert.deepEqual([isOfShop(moment("shop")), isOfShop(moment("rival"))], [true, false]);
  const isOfAny = onlyOf(["ghr/test"]);
  assert.deepEqual([isOfAny(moment("shop")), isOfAny(moment("rival"))], [true, true]);
});
