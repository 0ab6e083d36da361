import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, nextTurn } from "@gatewright/ports";
import type { TargetGroupRecord, TargetRecord } from "../elbv2/records.ts";
import { HealthChecks } from "./health-checks.ts";
import type { Finding } from "./health-step.ts";

const group: TargetGroupRecord = {
  arn: "g",
  name: "g",
  attributes: [],
  settings: {
    HealthCheckIntervalSeconds: 10,
    HealthCheckTimeoutSeconds: 2,
    HealthCheckPort: "9000",
    HealthyThresholdCount: 2,
    UnhealthyThresholdCount: 2,
  },
};
const target: TargetRecord = { group: "g", id: "10.0.0.1", port: 80, registeredAt: 0 };

function setup(durations: number) {
  const clock = new ManualClock();
  const asked: number[] = [];
  let finding: Finding | "silence" = { ok: true };
  const checks = new HealthChecks({
    world: { clock, pace: { durations, lag: false } },
    addressOf: (_group, { id, port = 0 }) => ({ host: id, port }),
    probe: (_settings, { port }, signal) => {
      asked.push(port);
      if (finding !== "silence") return Promise.resolve(finding);
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ ok: false, reason: "Target.Timeout", description: "" }));
      });
    },
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await nextTurn();
  };
  const say = (next: Finding | "silence"): void => {
    finding = next;
  };
  return { checks, clock, asked, pass, say, state: () => checks.healthOf(group, target)?.state };
}

test("a target is checked at once and then by its interval, on the port of its group", async () => {
  const { checks, asked, pass, state, clock } = setup(1);
  assert.equal(state(), undefined);
  checks.follow([{ group, target }]);
  assert.equal(state(), "initial");
  await pass(0);
  assert.equal(state(), "healthy");
  await pass(9999);
  assert.deepEqual(asked, [9000]);
  await pass(1);
  assert.deepEqual(asked, [9000, 9000]);
  checks.follow([{ group, target }]);
  assert.equal(state(), "healthy", "what is known of a target stays when other things change");
  checks.follow([]);
  assert.deepEqual([state(), clock.pending], [undefined, 0]);
});

test("silence counts as a failure after the timeout, and pace shortens intervals only", async () => {
  const { checks, pass, say, state } = setup(0.1);
  checks.follow([{ group, target }]);
  await pass(0);
  say("silence");
  for (let round = 0; round < 2; round++) {
    assert.equal(state(), "healthy");
    await pass(1000);
    await pass(2000);
  }
  assert.equal(state(), "unhealthy");
  checks.close();
});

test("a target that was registered anew begins anew", async () => {
  const { checks, pass, state } = setup(1);
  checks.follow([{ group, target }]);
  await pass(0);
  checks.follow([{ group, target: { ...target, registeredAt: 5 } }]);
  assert.equal(state(), "initial");
  checks.close();
  await pass(0);
});
