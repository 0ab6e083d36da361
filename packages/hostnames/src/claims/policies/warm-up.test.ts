import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime } from "@gatewright/kube";
import { decide } from "../decide.ts";
import { textOf } from "../testing/decision-text.ts";
import { seeing } from "../testing/observations.ts";

const seen = seeing();
const OLD = { dnsName: "old.eu-west-1.elb.amazonaws.com", zoneId: "Z32O12XQLNTSW2", dualStack: false };
const records = (seen.memory.records ?? []).map((record) =>
  record.purpose === "alias" ? { ...record, alias: { ...OLD, evaluateTargetHealth: true } } : record,
);

/** A claim whose alias leads to the old load balancer, and whose new Gateway has had the listener for so long. */
function moving(attachedMs: number): ReturnType<typeof seeing> {
  const since = formatTime(seen.now - attachedMs);
  const said = { type: "ListenerAttached", status: "True", reason: "Attached", message: "", lastTransitionTime: since };
  const claim = { ...seen.claim, status: { ...seen.claim.status, conditions: [said] } } as typeof seen.claim;
  const leaving = [{ gateway: "gw-00", since, loadBalancer: OLD }];
  return seeing({ claim, memory: { ...seen.memory, records, leaving }, published: () => false });
}

test("while a hostname moves, DNS follows only when the new Gateway has had it for a while", () => {
  assert.match(textOf(decide(moving(20_000))), /^rest DnsAliasReady False WarmingUp serving after 41000$/);
  assert.match(textOf(decide(moving(61_000))), /^remember /);
  assert.match(textOf(decide(moving(-3_600_000))), /^remember /);
});
