import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { limitsText, poolFill } from "./pool-fill.ts";
import { arnOf, claim } from "./testing/claims.ts";

const POOL = { "gateway.opendi.com/pool": "true" };
const gateway = (annotations: Record<string, string>, labels: Record<string, string> = POOL) =>
  ({ metadata: { namespace: "edge", name: "gw-01", labels, annotations } }) as unknown as Parameters<
    typeof poolFill
  >[0];
const limits = (text: string) => gateway({ "gateway.opendi.com/limits": text });

test("a Gateway is as full as placement counts it, against the limits that are written on it", () => {
  const claims = [claim("a.example.com"), claim("b.example.com"), claim("elsewhere.example.com", { gateway: "gw-02" })];
  const filled = poolFill(limits(limitsText(DEFAULT_SETTINGS)), claims, []);
  assert.deepEqual(filled, [
    { limit: "certificates", used: 2, most: 26 },
    { limit: "rules", used: 4, most: 100 },
    { limit: "targetGroups", used: 2, most: 100 },
    { limit: "hostnames", used: 2, most: 62 },
  ]);
});

test("a platform's own default certificate takes no place of the hostnames'; sets of listeners have no limit", () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    defaultCertificateArn: arnOf("default"),
    listeners: "listener-sets" as const,
  };
  assert.deepEqual(JSON.parse(limitsText(settings)), { certificates: 25, rules: 100, targetGroups: 100 });
});

test("nothing is said of other Gateways, nor where nobody has written limits, or somebody else wrote nonsense", () => {
  assert.equal(poolFill(gateway({ "gateway.opendi.com/limits": "{}" }, {}), [], []), undefined);
  assert.equal(poolFill(gateway({}), [], []), undefined);
  assert.equal(poolFill(limits("nonsense"), [], []), undefined);
  assert.deepEqual(poolFill(limits('{"rules":"many"}'), [], []), []);
});
