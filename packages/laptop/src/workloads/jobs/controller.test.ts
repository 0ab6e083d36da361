import assert from "node:assert/strict";
import { test } from "node:test";
import type { Immutable } from "@gatewright/kube";
import { batch, core } from "@gatewright/kube/api";
import type { New } from "@gatewright/runtime";
import { workloadWorld } from "../testing/workload-world.ts";
import type { WorkloadWorld } from "../testing/workload-world.ts";

const WORK = { namespace: "default", name: "work" };

function work(spec: Partial<batch.JobSpec> & { readonly image?: string } = {}): New<batch.Job> {
  const { image = "succeed:1", ...more } = spec;
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image }] } };
  return { metadata: { ...WORK }, spec: { template, ...more } };
}

const job = (world: WorkloadWorld) => () => world.client.for(batch.Job).get(WORK);

const hasCondition =
  (type: string) =>
  ({ status }: Immutable<batch.Job>): boolean =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;

const conditions = ({ status }: Immutable<batch.Job>): readonly string[] =>
  (status?.conditions ?? []).map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);

const numbers = ({ status }: Immutable<batch.Job>): object => {
  const { conditions: _, startTime: __, completionTime: ___, ...rest } = status ?? {};
  return rest;
};

test("a Job runs its pods to completion and counts each", async () => {
  await using world = await workloadWorld();
  await world.client.for(batch.Job).create(work({ completions: 5, parallelism: 2 }));
  const done = await world.until(job(world), hasCondition("Complete"));
  assert.deepEqual(numbers(done), { ready: 0, succeeded: 5, terminating: 0, uncountedTerminatedPods: {} });
  assert.deepEqual(conditions(done), [
    "SuccessCriteriaMet=True CompletionsReached: Reached expected number of succeeded pods",
    "Complete=True CompletionsReached: Reached expected number of succeeded pods",
  ]);
  assert.ok(done.status?.startTime !== undefined && done.status.completionTime !== undefined);
  const pods = await world.pods();
  assert.equal(pods.length, 5);
  for (const { metadata } of pods) assert.equal(metadata.finalizers, undefined);
  await world.pass(1);
  const told = await world.events();
  assert.ok(told.includes("Completed: Job completed"));
  assert.equal(told.filter((event) => event.startsWith("SuccessfulCreate")).length, 5);
});

test("failed pods are replaced after longer and longer pauses, until the limit is reached", async () => {
  await using world = await workloadWorld();
  await world.client.for(batch.Job).create(work({ image: "fail:1", backoffLimit: 2 }));
  await world.pass(8);
  assert.equal((await world.pods()).length, 1);
  await world.pass(20);
  assert.equal((await world.pods()).length, 2);
  const failed = await world.until(job(world), hasCondition("Failed"), 60);
  assert.deepEqual(numbers(failed), { failed: 3, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
  assert.deepEqual(conditions(failed), [
    "FailureTarget=True BackoffLimitExceeded: Job has reached the specified backoff limit",
    "Failed=True BackoffLimitExceeded: Job has reached the specified backoff limit",
  ]);
  assert.equal((await world.pods()).length, 3);
});

test("a Job that is active for too long fails, and its pods go", async () => {
  await using world = await workloadWorld();
  await world.client.for(batch.Job).create(work({ image: "run:1", activeDeadlineSeconds: 30, parallelism: 2 }));
  const running = await world.until(job(world), ({ status }) => status?.ready === 2);
  assert.equal(running.status?.active, 2);
  const failed = await world.until(job(world), hasCondition("Failed"));
  assert.deepEqual(
    conditions(failed).at(-1),
    "Failed=True DeadlineExceeded: Job was active longer than specified deadline",
  );
  assert.deepEqual(numbers(failed), { failed: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
  await world.until(
    () => world.pods(),
    (pods) => pods.length === 0,
  );
});

test("a suspended Job has no pods, and starts anew when it goes on", async () => {
  await using world = await workloadWorld();
  await world.client.for(batch.Job).create(work({ image: "run:1", activeDeadlineSeconds: 60 }));
  await world.until(job(world), ({ status }) => status?.ready === 1);
  await world.client.for(batch.Job).patch(WORK, { merge: { spec: { suspend: true } } });
  const still = await world.until(
    job(world),
    (seen) => hasCondition("Suspended")(seen) && seen.status?.terminating === 0,
  );
  assert.equal(still.status?.startTime, undefined);
  await world.pass(100);
  assert.deepEqual(await world.pods(), []);
  await world.client.for(batch.Job).patch(WORK, { merge: { spec: { suspend: false } } });
  const again = await world.until(job(world), ({ status }) => status?.ready === 1);
  assert.deepEqual(conditions(again), ["Suspended=False JobResumed: Job resumed"]);
  assert.equal(again.status?.failed, undefined);
});

test("an Indexed Job has a pod for each index, which is told to it", async () => {
  await using world = await workloadWorld();
  const indexed = { completions: 4, parallelism: 3, completionMode: "Indexed" };
  await world.client.for(batch.Job).create(work(indexed));
  const done = await world.until(job(world), hasCondition("Complete"));
  assert.equal(done.status?.completedIndexes, "0-3");
  assert.equal(done.status?.succeeded, 4);
  const pods = (await world.pods()).toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1));
  for (const [index, { metadata, spec }] of pods.entries()) {
    assert.match(metadata.name ?? "", new RegExp(`^work-${index}-[a-z0-9]{5}$`));
    assert.equal(metadata.labels?.["batch.kubernetes.io/job-completion-index"], String(index));
    assert.equal(spec?.hostname, `work-${index}`);
    assert.equal(spec?.containers[0]?.env?.[0]?.name, "JOB_COMPLETION_INDEX");
  }
});

test("a Job that is over is deleted with its pods when its time has come", async () => {
  await using world = await workloadWorld();
  await world.client.for(batch.Job).create(work({ ttlSecondsAfterFinished: 50 }));
  await world.until(job(world), hasCondition("Complete"));
  await world.pass(45);
  assert.equal((await world.pods()).length, 1);
  await world.pass(10);
  assert.equal(await world.client.for(batch.Job).find(WORK), undefined);
  assert.deepEqual(await world.pods(), []);
});

test("pods of a Job that is deleted are let go, and so are those that it leaves behind", async () => {
  await using world = await workloadWorld();
  for (const propagation of ["Background", "Orphan"] as const) {
    await world.client.for(batch.Job).create(work({ image: "run:1" }));
    await world.until(job(world), ({ status }) => status?.ready === 1);
    await world.client.for(batch.Job).delete(WORK, { propagation });
    await world.pass(3);
    const left = await world.pods();
    assert.equal(left.length, propagation === "Orphan" ? 1 : 0);
    for (const { metadata } of left) assert.equal(metadata.finalizers, undefined);
  }
});

test("a pod that somebody deletes counts as failed and is replaced", async () => {
  await using world = await workloadWorld();
  await world.client.for(batch.Job).create(work({ image: "run:1" }));
  await world.until(job(world), ({ status }) => status?.ready === 1);
  const [pod] = await world.pods();
  await world.client.for(core.Pod).delete({ ...WORK, name: pod?.metadata.name ?? "" });
  const replaced = await world.until(job(world), ({ status }) => status?.failed === 1 && status.ready === 1);
  assert.deepEqual(numbers(replaced), { active: 1, failed: 1, ready: 1, terminating: 0, uncountedTerminatedPods: {} });
});

test("a policy for failures ends the Job at once, or overlooks them", async () => {
  await using world = await workloadWorld();
  const rule = (action: string) => ({ action, onExitCodes: { operator: "In", values: [1] } });
  await world.client.for(batch.Job).create(work({ image: "fail:1", podFailurePolicy: { rules: [rule("FailJob")] } }));
  const failed = await world.until(job(world), hasCondition("Failed"));
  const [pod] = await world.pods();
  assert.equal(
    conditions(failed).at(-1),
    `Failed=True PodFailurePolicy: Container main for pod default/${pod?.metadata.name} failed with exit code 1 matching FailJob rule at index 0`,
  );
  await world.client.for(batch.Job).delete(WORK, { propagation: "Background" });
  await world.until(
    () => world.pods(),
    (pods) => pods.length === 0,
  );
  const overlooking = work({ image: "fail:1", backoffLimit: 0, podFailurePolicy: { rules: [rule("Ignore")] } });
  await world.client.for(batch.Job).create(overlooking);
  await world.until(
    () => world.pods(),
    (pods) => pods.length === 3,
    60,
  );
  assert.equal((await job(world)()).status?.failed, undefined);
});
