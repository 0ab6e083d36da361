import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { podColumns } from "./pod-columns.ts";

const TIME = "2026-11-15T20:00:00Z";
const NOW = Date.parse("2026-11-15T22:57:00Z");

function container(state: JsonObject, extra: JsonObject = {}): JsonObject {
  return { name: "c", image: "x", imageID: "", ready: false, restartCount: 0, state, lastState: {}, ...extra };
}

function row(status: JsonObject, spec: JsonObject = {}): string {
  const pod: KubeObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", creationTimestamp: TIME },
    spec: { containers: [{ name: "c", image: "x" }], ...spec },
    status,
  };
  return podColumns.cells(pod, NOW).slice(1).join(" | ");
}

const running = { running: { startedAt: TIME } };
const sidecar = { initContainers: [{ name: "i", image: "x", restartPolicy: "Always" }] };

// Rows as a kube-apiserver 1.36.4 gave them for the same statuses.
const ROWS: readonly (readonly [string, string, string])[] = [
  [
    "a container that runs",
    row({ phase: "Running", containerStatuses: [container(running, { ready: true })] }),
    "1/1 | Running | 0",
  ],
  [
    "a container that crashes tells when it last did",
    row({
      phase: "Running",
      containerStatuses: [
        container(
          { waiting: { reason: "CrashLoopBackOff" } },
          { restartCount: 5, lastState: { terminated: { exitCode: 1, finishedAt: TIME } } },
        ),
      ],
    }),
    "0/1 | CrashLoopBackOff | 5 (177m ago)",
  ],
  [
    "a signal that ended a container beats the reason of the pod",
    row({
      phase: "Failed",
      reason: "Evicted",
      containerStatuses: [container({ terminated: { exitCode: 137, signal: 9 } })],
    }),
    "0/1 | Signal:9 | 0",
  ],
  [
    "an init container that failed",
    row(
      {
        phase: "Pending",
        initContainerStatuses: [container({ terminated: { exitCode: 2 } }, { name: "i", restartCount: 2 })],
      },
      { initContainers: [{ name: "i", image: "x" }] },
    ),
    "0/1 | Init:ExitCode:2 | 2",
  ],
  [
    "a sidecar counts as a container",
    row(
      {
        phase: "Running",
        conditions: [{ type: "Initialized", status: "True" }],
        initContainerStatuses: [container(running, { name: "i", ready: true, started: true, restartCount: 1 })],
        containerStatuses: [container(running, { ready: true, restartCount: 2 })],
      },
      sidecar,
    ),
    "2/2 | Running | 3",
  ],
  [
    "one container that ended beside one that runs",
    row(
      {
        phase: "Running",
        containerStatuses: [
          container(running, { ready: true }),
          container({ terminated: { exitCode: 0, reason: "Completed" } }, { name: "d" }),
        ],
      },
      { containers: [{ name: "c" }, { name: "d" }] },
    ),
    "1/2 | NotReady | 0",
  ],
];

for (const [name, shown, expected] of ROWS) {
  test(name, () => assert.ok(shown.startsWith(`${expected} | `), shown));
}

test("readiness gates, address and nominated node are in the wide columns", () => {
  const status = {
    phase: "Running",
    podIPs: [{ ip: "1.2.3.4" }],
    nominatedNodeName: "nn",
    conditions: [{ type: "a/b", status: "True" }],
  };
  const spec = { readinessGates: [{ conditionType: "a/b" }, { conditionType: "c/d" }] };
  assert.equal(row(status, spec), "0/1 | Running | 0 | 177m | 1.2.3.4 | <none> | nn | 1/2");
});

test("a pod that has ended carries a Completed condition on its row", () => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: {}, status: { phase: "Failed" } };
  assert.deepEqual(podColumns.conditions?.(pod), [
    { type: "Completed", status: "True", reason: "Failed", message: "The pod failed." },
  ]);
});
