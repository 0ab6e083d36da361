import assert from "node:assert/strict";
import { test } from "node:test";
import { HOSTNAME_METRICS } from "@gatewright/hostnames";
import { Gateway, GatewayHostnameRequest } from "@gatewright/resources";
import { createHostnameWorld, ZONE } from "./hostname-world.ts";
import type { HostnameWorld } from "./hostname-world.ts";

/** The value of a series, written as Prometheus would: `name{label="value"}`. Undefined: there is none. */
function valueOf(world: HostnameWorld, series: string): number | undefined {
  const line = world
    .metrics()
    .split("\n")
    .find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function request({ user }: HostnameWorld, namespace: string, hostname: string): Promise<void> {
  const name = hostname.replaceAll(".", "-");
  await user.for(GatewayHostnameRequest).apply({ metadata: { namespace, name }, spec: { zoneId: ZONE, hostname } });
}

test("the life of a hostname is counted: states, time to ready, issuance, pool, drift, denials, calls", async () => {
  await using world = await createHostnameWorld();
  const is = (series: string, value: number) => async (): Promise<boolean> => valueOf(world, series) === value;
  const sum = (series: string): number => valueOf(world, series) ?? 0;
  await request(world, "shop", "a.example.com");
  await world.until("it serves", is('gatewright_hostnames{state="Serving"}', 1));
  await world.until("its request is ready", is("gatewright_hostname_ready_seconds_count", 1));
  assert.equal(sum("gatewright_certificate_issuance_seconds_count"), 1);
  assert.ok(sum("gatewright_hostname_ready_seconds_sum") >= sum("gatewright_certificate_issuance_seconds_sum"));
  assert.equal(sum('gatewright_gateways{visibility="internet-facing"}'), 1);
  assert.equal(sum('gatewright_gateway_fill_ratio{gateway="gw-01",limit="certificates"}'), 0);
  assert.equal(sum('gatewright_gateway_fill_ratio{gateway="gw-01",limit="rules"}'), 3 / 100);
  assert.equal(sum('gatewright_gateway_fill_ratio{gateway="gw-01",limit="target_groups"}'), 1 / 100);
  assert.equal(sum('gatewright_gateway_fill_ratio{gateway="gw-01",limit="listeners"}'), 1 / 62);
  const requested = 'gatewright_aws_calls_total{service="acm",operation="RequestCertificate",outcome="ok"}';
  assert.equal(sum(requested), 1);
  assert.equal(sum('gatewright_aws_throttles_total{service="acm",operation="RequestCertificate"}'), 0);
  assert.equal(sum('gatewright_aws_call_seconds_count{service="acm",operation="RequestCertificate"}'), 1);
  assert.ok(sum('controller_runtime_reconcile_total{controller="domain-claims",result="success"}') > 0);

  await request(world, "rival", "a.example.com");
  await world.until("the second is denied", is('gatewright_claims_denied_total{reason="ClaimedByAnother"}', 1));

  assert.equal(sum('gatewright_drift_total{what="gateway"}'), 0);
  await world.user
    .for(Gateway)
    .patch(
      { namespace: "edge", name: "gw-01" },
      { merge: { metadata: { annotations: { "gateway.opendi.com/visibility": "internal" } } } },
    );
  await world.until("what somebody changed is counted", is('gatewright_drift_total{what="gateway"}', 1));

  const text = world.metrics();
  for (const { name } of Object.values(HOSTNAME_METRICS))
    assert.match(text, new RegExp(`^${name}(?:_count)?[{ ]`, "m"));

  for (const namespace of ["rival", "shop"]) {
    await world.user.for(GatewayHostnameRequest).delete({ namespace, name: "a-example-com" });
  }
  await world.until("nothing is left", async () => {
    const states = [...world.metrics().matchAll(/^gatewright_hostnames\{.*\} (\S+)$/gm)];
    return states.length > 1 && states.every(([, count]) => count === "0");
  });
});
