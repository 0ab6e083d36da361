import assert from "node:assert/strict";
import { test } from "node:test";
import type { core } from "@gatewright/kube/api";
import fc from "fast-check";
import { stepContainer } from "./container-run.ts";
import type { ContainerInput } from "./container-run.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decide.ts";
import { phaseOf } from "./pod-phase.ts";
import { isAlive, runOf } from "./pod-run.ts";
import type { PodRun } from "./pod-run.ts";

const empty: PodRun = { uid: "u", ip: "10.244.0.2", startedAt: 0, containers: new Map() };
const pod = (spec: Partial<core.PodSpec>, metadata: core.Pod["metadata"] = {}): core.Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata,
  spec: { containers: [{ name: "main", image: "i" }], ...spec },
});

function step(run: PodRun, name: string, ...inputs: readonly ContainerInput[]): PodRun {
  const stepped = inputs.reduce(stepContainer, runOf(run, name));
  return { ...run, containers: new Map(run.containers).set(name, stepped) };
}

const probed = { startup: false, readiness: false };
const up = (at: number, image = "i"): readonly ContainerInput[] => [
  { kind: "starting" },
  { kind: "started", at, containerID: "c", image, simulated: false, probed },
];
const exit = (at: number, exitCode: number): ContainerInput => ({ kind: "exited", at, exitCode, reason: "Error" });
const names = ({ start, stop }: Decision): object => ({
  start: start.map((c) => c.name),
  stop: stop.map((c) => c.name),
});

test("a container that prepares the pod must end well before the next one begins", () => {
  const prepared = pod({
    initContainers: [
      { name: "a", image: "i" },
      { name: "b", image: "i" },
    ],
  });
  assert.deepEqual(names(decide(prepared, empty, 0)), { start: ["a"], stop: [] });
  let run = step(empty, "a", ...up(0));
  assert.deepEqual(names(decide(prepared, run, 0)), { start: [], stop: [] });
  run = step(run, "a", exit(1, 1));
  assert.deepEqual(names(decide(prepared, run, 1)), { start: ["a"], stop: [] }, "it failed, so it is tried again");
  run = step(run, "a", ...up(2), exit(3, 0));
  assert.deepEqual(names(decide(prepared, run, 3)), { start: ["b"], stop: [] });
  run = step(run, "b", ...up(3), exit(4, 0));
  assert.deepEqual(names(decide(prepared, run, 4)), { start: ["main"], stop: [] });
});

test("a pod that may not be restarted fails with what should have prepared it", () => {
  const never = pod({ restartPolicy: "Never", initContainers: [{ name: "a", image: "i" }] });
  const run = step(empty, "a", ...up(0), exit(1, 3));
  assert.equal(decide(never, run, 1).over, true);
  assert.equal(phaseOf(never, run), "Failed");
});

test("a container whose image has changed is ended, and comes back", () => {
  const run = step(empty, "main", ...up(0, "old"));
  assert.deepEqual(names(decide(pod({}), run, 0)), { start: [], stop: ["main"] });
  const ended = step(run, "main", { kind: "stopping" }, exit(1, 0));
  assert.deepEqual(names(decide(pod({}), ended, 1)), { start: ["main"], stop: [] });
});

test("sidecars end after the containers that they serve", () => {
  const deleted = pod(
    { initContainers: [{ name: "side", image: "i", restartPolicy: "Always" }] },
    { deletionTimestamp: "2030-01-01T00:00:00Z" },
  );
  const both = step(step(empty, "side", ...up(0)), "main", ...up(0));
  assert.deepEqual(names(decide(deleted, both, 0)), { start: [], stop: ["main"] });
  const alone = step(both, "main", exit(1, 0));
  assert.deepEqual(names(decide(deleted, alone, 1)), { start: [], stop: ["side"] });
  assert.equal(decide(deleted, step(alone, "side", exit(2, 0)), 2).over, true);
});

test("whatever happens: nothing is started twice or out of turn, and a deleted pod comes to its end", () => {
  const policy = fc.constantFrom("Always", "OnFailure", "Never");
  const event = fc.record({ pick: fc.nat(), kind: fc.constantFrom("up", "exit", "fail", "hold"), ms: fc.nat(400_000) });
  fc.assert(
    fc.property(policy, fc.boolean(), fc.array(event, { maxLength: 60 }), (restartPolicy, sidecar, happenings) => {
      const inits = [
        { name: "init", image: "i" },
        { name: "side", image: "i", ...(sidecar && { restartPolicy: "Always" }) },
      ];
      const alive = pod({ restartPolicy, initContainers: inits });
      const all = ["init", "side", "main"];
      let [run, now] = [empty, 0];
      const act = (object: core.Pod): Decision => {
        const decision = decide(object, run, now);
        for (const { name } of decision.start) {
          assert.ok(!isAlive(runOf(run, name)), `${name} is started twice`);
          const { state } = runOf(run, "init");
          if (name === "main") assert.ok(state.kind === "ended" && state.end.exitCode === 0, "main comes after init");
          run = step(run, name, { kind: "starting" });
        }
        for (const { name } of decision.stop) run = step(run, name, { kind: "stopping" });
        return decision;
      };
      act(alive);
      for (const { pick, kind, ms } of happenings) {
        now += ms;
        const name = all[pick % all.length] ?? "main";
        const before = runOf(run, name).restarts;
        if (kind === "up")
          run = step(run, name, { kind: "started", at: now, containerID: "c", image: "i", simulated: true, probed });
        else if (kind === "hold") run = step(run, name, { kind: "pullFailed", at: now, message: "" });
        else run = step(run, name, exit(now, kind === "exit" ? 0 : 1));
        act(alive);
        assert.ok(runOf(run, name).restarts - before <= 1);
        const { restartDelayMs, pullDelayMs } = runOf(run, name);
        for (const delay of [restartDelayMs, pullDelayMs]) assert.ok(delay <= 300_000);
      }
      const deleted = { ...alive, metadata: { deletionTimestamp: "2030-01-01T00:00:00Z" } };
      for (let round = 0; round < 5 && !act(deleted).over; round++) {
        now += 1000;
        for (const name of all) {
          const { state } = runOf(run, name);
          if (state.kind === "starting" || (state.kind === "running" && state.stopping))
            run = step(run, name, exit(now, 137));
        }
      }
      assert.equal(decide(deleted, run, now).over, true);
      assert.ok(["Succeeded", "Failed"].includes(phaseOf(deleted, run)), phaseOf(deleted, run));
    }),
    { numRuns: 300 },
  );
});
