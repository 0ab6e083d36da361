import assert from "node:assert/strict";
import { test } from "node:test";
import type { core } from "@gatewright/kube/api";
import { podOf } from "../testing/objects.ts";
import { podTrouble } from "./pod-trouble.ts";

const waiting = (reason: string, message?: string, more: Partial<core.ContainerStatus> = {}) =>
  podOf("web-a", { waiting: { reason, ...(message !== undefined && { message }) } }, more);

const told = (...pods: readonly core.Pod[]): string | undefined => {
  const trouble = podTrouble(pods);
  return trouble && `${trouble.failing ? "failing " : ""}${trouble.reason}: ${trouble.message}`;
};

test("pods that start are no trouble", () => {
  assert.equal(
    told(waiting("ContainerCreating"), waiting("PodInitializing"), podOf("web-b", { waiting: {} })),
    undefined,
  );
  assert.equal(told(podOf("web-a", { running: {} }, { ready: true })), undefined);
  assert.equal(told({ apiVersion: "v1", kind: "Pod", metadata: {} }), undefined);
});

test("the two states of an image that cannot be pulled are told alike", () => {
  const error = 'failed to resolve reference "web:1": not found';
  const expected = `failing ImagePullBackOff: pod web-a, container app: the image web:1 cannot be pulled: ${error}`;
  assert.equal(told(waiting("ErrImagePull", error)), expected);
  assert.equal(told(waiting("ImagePullBackOff", `Back-off pulling image "web:1": ErrImagePull: ${error}`)), expected);
  const bare = told(waiting("ImagePullBackOff", 'Back-off pulling image "web:1"'));
  assert.equal(bare, "failing ImagePullBackOff: pod web-a, container app: the image web:1 cannot be pulled");
});

test("a crash loop is told by how the container ended, without its words and without times that change", () => {
  const terminated = { exitCode: 137, reason: "OOMKilled", message: "password=hunter2" };
  const restarting = waiting("CrashLoopBackOff", "back-off 40s restarting failed container", {
    lastState: { terminated },
  });
  const expected =
    "failing CrashLoopBackOff: pod web-a, container app: ends again and again, last with code 137 (OOMKilled)";
  assert.equal(told(restarting), expected);
  assert.equal(told(podOf("web-a", { terminated })), expected);
});

const initializing = (
  state: core.ContainerState,
  {
    isSidecar = false,
    restartPolicy = "Always",
    ...more
  }: Partial<core.ContainerStatus> & {
    isSidecar?: boolean;
    restartPolicy?: string;
  } = {},
): core.Pod => {
  const pod = podOf("web-a", { waiting: { reason: "PodInitializing" } }, { restartPolicy });
  const init = { name: "first", image: "init:1", imageID: "", ready: false, restartCount: 0, state, ...more };
  return {
    ...pod,
    spec: { ...pod.spec!, initContainers: [{ name: "first", ...(isSidecar && { restartPolicy: "Always" }) }] },
    status: { ...pod.status, initContainerStatuses: [init] },
  };
};

test("init containers that keep the others from starting are told", () => {
  const terminated = { exitCode: 1, reason: "Error" };
  const looping = "failing CrashLoopBackOff: pod web-a, init container first: ends again and again, last with code 1";
  assert.equal(told(initializing({ waiting: { reason: "CrashLoopBackOff" } }, { lastState: { terminated } })), looping);
  assert.equal(told(initializing({ terminated })), looping);
  assert.equal(
    told(initializing({ waiting: { reason: "ImagePullBackOff" } }, { isSidecar: true })),
    "failing ImagePullBackOff: pod web-a, init container first: the image init:1 cannot be pulled",
  );
  assert.equal(
    told(initializing({ running: {} }, { isSidecar: true, started: true })),
    "NotReady: pod web-a, init container first: runs, and its readiness probe has not succeeded yet",
  );
});

test("init containers that run, have ended well or wait for those before them are no trouble, nor are sidecars that run or end", () => {
  assert.equal(told(initializing({ running: {} })), undefined);
  assert.equal(told(initializing({ terminated: { exitCode: 0 } }, { ready: true })), undefined);
  assert.equal(told(initializing({ terminated: { exitCode: 1 } }, { restartPolicy: "Never" })), undefined);
  assert.equal(told(initializing({ waiting: { reason: "PodInitializing" } })), undefined);
  assert.equal(told(initializing({ running: {} }, { isSidecar: true, ready: true })), undefined);
  assert.equal(told(initializing({ terminated: { exitCode: 143 } }, { isSidecar: true })), undefined);
});

test("the end of a Job's pod is the Job's to judge", () => {
  assert.equal(told(podOf("web-a", { terminated: { exitCode: 1 } }, { restartPolicy: "Never" })), undefined);
  assert.equal(told(podOf("web-a", { terminated: { exitCode: 0 } })), undefined);
});

test("a Secret that is missing is named", () => {
  const expected = 'failing CreateContainerConfigError: pod web-a, container app: secret "keys" not found';
  assert.equal(told(waiting("CreateContainerConfigError", 'secret "keys" not found')), expected);
});

test("a probe that does not succeed is told, and is a matter of waiting", () => {
  const running = (started: boolean) => told(podOf("web-a", { running: {} }, { started }));
  assert.equal(
    running(true),
    "NotReady: pod web-a, container app: runs, and its readiness probe has not succeeded yet",
  );
  assert.equal(running(false), "NotReady: pod web-a, container app: runs, and its startup probe has not succeeded yet");
});

test("a pod without a node is told in the scheduler's words", () => {
  const pod = podOf("web-a", {});
  const conditions = [
    { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available" },
  ];
  const expected = "Unschedulable: pod web-a has no node yet: 0/3 nodes are available";
  assert.equal(told({ ...pod, status: { conditions } }), expected);
});

test("what fails is told before what waits, and of the newest pod", () => {
  const [first, second] = [podOf("web-b", { running: {} }), waiting("CrashLoopBackOff")];
  assert.match(told(first, second) ?? "", /web-a/);
  assert.match(told(podOf("web-c", { waiting: { reason: "CrashLoopBackOff" } }), second) ?? "", /web-c/);
});

test("signatures in addresses are cut, and so are long messages", () => {
  const signed = 'Get "https://bucket.s3.amazonaws.com/layer?X-Amz-Security-Token=secret&b=c": denied';
  assert.match(
    told(waiting("ErrImagePull", signed)) ?? "",
    /Get "https:\/\/bucket.s3.amazonaws.com\/layer\?\.\.\.": denied$/,
  );
  assert.ok((told(waiting("RunContainerError", "x".repeat(5000))) ?? "").length < 500);
});
