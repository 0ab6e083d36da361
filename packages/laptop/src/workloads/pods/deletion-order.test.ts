import assert from "node:assert/strict";
import { test } from "node:test";
import type { core } from "@gatewright/kube/api";
import { inDeletionOrder } from "./deletion-order.ts";

interface Told {
  readonly node?: string;
  readonly phase?: string;
  readonly readyAt?: string;
  readonly cost?: string;
  readonly restarts?: number;
  readonly createdAt?: string;
}

function pod(name: string, told: Told = {}): core.Pod {
  const { node = "n1", phase = "Running", readyAt = "08:00:00", cost, restarts = 0, createdAt = "07:00:00" } = told;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid: name,
      creationTimestamp: `2030-01-01T${createdAt}Z`,
      ...(cost !== undefined && { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } }),
    },
    spec: { containers: [], ...(node !== "" && { nodeName: node }) },
    status: {
      phase,
      containerStatuses: [{ name: "main", image: "", imageID: "", ready: true, restartCount: restarts }],
      ...(readyAt !== "" && {
        conditions: [{ type: "Ready", status: "True", lastTransitionTime: `2030-01-01T${readyAt}Z` }],
      }),
    },
  };
}

const TABLE: readonly (readonly [string, Told, Told])[] = [
  ["that has no node before one that has", { node: "" }, { phase: "Pending", readyAt: "" }],
  ["that is pending before one that runs", { phase: "Pending", readyAt: "" }, { readyAt: "" }],
  ["that is not ready before one that is", { readyAt: "" }, { cost: "-5" }],
  ["that costs less before one that costs more", { cost: "-1" }, { readyAt: "09:00:00" }],
  ["whose cost cannot be read costs nothing", { cost: "-1" }, { cost: "cheap", readyAt: "09:00:00" }],
  ["that became ready later before one that did earlier", { readyAt: "09:00:00" }, { restarts: 3 }],
  ["that was restarted more before one that was less", { restarts: 3 }, { createdAt: "07:30:00" }],
  ["that is younger before one that is older", { createdAt: "07:30:00" }, {}],
];

for (const [name, first, second] of TABLE) {
  test(`of two pods one ${name}`, () => {
    for (const pods of [
      [pod("b", first), pod("a", second)],
      [pod("a", second), pod("b", first)],
    ]) {
      assert.deepEqual(
        inDeletionOrder(pods).map(({ metadata }) => metadata.name),
        ["b", "a"],
      );
    }
  });
}

test("of pods that are alike one of the fullest node goes first", () => {
  const pods = [pod("a", { node: "n1" }), pod("b", { node: "n2" }), pod("c", { node: "n2" })];
  assert.equal(inDeletionOrder(pods)[2]?.metadata.name, "a");
});
