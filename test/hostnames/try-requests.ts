import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatewright/kube";
import { GatewayHostnameRequest } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { anyKind } from "./hijack-world.ts";
import { requestCases } from "./request-cases.ts";

/** Tests of every case, for whichever server `client` leads to when they run. Nothing is left behind. */
export function tryRequests(client: () => Client): void {
  for (const { what, spec, refused } of requestCases) {
    test(`a request with ${what} is ${refused === undefined ? "taken" : "refused"}`, async () => {
      const metadata = { name: "case", namespace: "default" };
      const attempt = client().for(anyKind(GatewayHostnameRequest)).create({ metadata, spec }, { dryRun: true });
      if (refused === undefined) return void (await attempt);
      await assert.rejects(attempt, (error) => {
        assert.ok(error instanceof StatusError, String(error));
        assert.match(error.message, refused);
        return true;
      });
    });
  }

  test("a request that says little is filled in", async () => {
    const metadata = { name: "little", namespace: "default" };
    const spec = { zoneId: "A1231313", hostname: "test.opendi.com", dns: {}, routePolicy: {} };
    const made = await client().for(anyKind(GatewayHostnameRequest)).create({ metadata, spec }, { dryRun: true });
    assert.deepEqual(made.spec, {
      ...spec,
      visibility: "internet-facing",
      gatewayClass: "aws-alb",
      deletionPolicy: "Delete",
      dns: { evaluateTargetHealth: true },
      routePolicy: { autoAllow: true },
    });
  });
}
