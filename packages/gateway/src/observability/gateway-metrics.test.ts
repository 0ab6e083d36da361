import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@gatewright/ports";
import { createMetrics } from "@gatewright/telemetry";
import { GatewayMetrics } from "./gateway-metrics.ts";
import { madeRecord } from "./testing/made-record.ts";

function counting(perRoute = false): { counted: GatewayMetrics; clock: ManualClock; text: () => string } {
  const [metrics, clock] = [createMetrics(), new ManualClock()];
  return { counted: new GatewayMetrics(metrics, clock, perRoute), clock, text: () => metrics.exposition().body };
}

const seriesOf = (text: string): number =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;

test("the number of series does not depend on routes, hosts, paths, clients or strange methods", () => {
  const few = counting();
  few.counted.ended(madeRecord({ route: "r" }));
  few.counted.ended(madeRecord({ route: "r", method: "BREW" }));
  const many = counting();
  for (let i = 0; i < 1000; i++) {
    const about = { route: `r${i}`, host: `h${i}.example.com`, target: `/${i}` };
    many.counted.ended(madeRecord(about));
    many.counted.ended(madeRecord({ ...about, method: `M${i}` }));
  }
  assert.equal(seriesOf(many.text()), seriesOf(few.text()));
  assert.match(many.text(), /^gatewright_gateway_requests_total\{listener="http",method="OTHER",code="2xx"\} 1000$/m);
});

test("routes are told apart where that is asked for", () => {
  const { counted, text } = counting(true);
  counted.ended(madeRecord({ route: "APIRoute default/a" }));
  counted.ended(madeRecord());
  assert.match(text(), /requests_total\{listener="http",method="GET",code="2xx",route="APIRoute default\/a"\} 1$/m);
  assert.match(text(), /requests_total\{listener="http",method="GET",code="2xx",route=""\} 1$/m);
});

test("answers of the gateway's own, those that broke off, retries and refused connections are counted by why", () => {
  const { counted, text } = counting();
  counted.ended(madeRecord({ status: 404, origin: "no_route" }));
  counted.ended(madeRecord({ failure: "client_gone" }));
  counted.refused("http", "tls_handshake");
  counted.fault();
  assert.match(text(), /local_answers_total\{reason="no_route"\} 1/);
  assert.match(text(), /answers_broken_off_total\{reason="client_gone"\} 1/);
  assert.match(text(), /connections_refused_total\{listener="http",reason="tls_handshake"\} 1/);
  assert.match(text(), /faults_total 1/);
});

test("rates are of the last minute", () => {
  const { counted, clock } = counting();
  assert.deepEqual(counted.rates(), { requestsPerSecond: 0, errorRate: 0 });
  for (let i = 0; i < 90; i++) counted.ended(madeRecord({ status: i < 30 ? 500 : 200 }));
  assert.deepEqual(counted.rates(), { requestsPerSecond: 1.5, errorRate: 1 / 3 });
  clock.advance(59_000);
  assert.equal(counted.rates().requestsPerSecond, 1.5);
  clock.advance(1000);
  assert.equal(counted.rates().requestsPerSecond, 0);
  clock.advance(1_000_000);
  counted.ended(madeRecord());
  assert.equal(counted.rates().requestsPerSecond, 1 / 60);
});
