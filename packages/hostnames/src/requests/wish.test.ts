import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatewayHostnameRequest } from "@gatewright/resources";
import { wishOf } from "./wish.ts";

function request(annotations: Record<string, string>): GatewayHostnameRequest {
  return {
    metadata: { namespace: "shop", name: "a", annotations },
    spec: {
      zoneId: "Z1",
      hostname: "a.example.com",
      visibility: "internal",
      gatewayClass: "aws-alb",
      deletionPolicy: "Delete",
    },
  } as unknown as GatewayHostnameRequest;
}

test("the annotation of a move is what the claim is wished to be moved to; an empty one is none", () => {
  const name = { hostname: "a.example.com" };
  assert.equal(wishOf(request({ "gateway.opendi.com/move-to": "gw-02" }), name).moveTo, "gw-02");
  assert.ok(!("moveTo" in wishOf(request({ "gateway.opendi.com/move-to": "" }), name)));
  assert.ok(!("moveTo" in wishOf(request({}), name)));
});
