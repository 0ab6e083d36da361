import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@gatewright/kube";
import { asV1, asV2 } from "./horizontal-pod-autoscaler-conversion.ts";

const target = { kind: "Deployment", name: "x", apiVersion: "apps/v1" };

const v2: KubeObject = {
  kind: "HorizontalPodAutoscaler",
  apiVersion: "autoscaling/v2",
  metadata: { name: "h", annotations: { mine: "kept" } },
  spec: {
    scaleTargetRef: target,
    minReplicas: 1,
    maxReplicas: 3,
    metrics: [
      {
        type: "Pods",
        pods: {
          metric: { name: "q", selector: { matchLabels: { a: "b" } } },
          target: { type: "AverageValue", averageValue: "5" },
        },
      },
      {
        type: "Object",
        object: { describedObject: target, metric: { name: "o" }, target: { type: "Value", value: "5" } },
      },
      { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 33 } } },
    ],
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 3,
        selectPolicy: "Max",
        policies: [{ type: "Pods", value: 4, periodSeconds: 15 }],
      },
    },
  },
  status: { desiredReplicas: 0, currentMetrics: null },
};

test("version 1 keeps in annotations what it has no fields for, as kube-apiserver writes them", () => {
  const v1 = asV1(v2);
  assert.deepEqual(v1["spec"], {
    scaleTargetRef: target,
    minReplicas: 1,
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 33,
  });
  assert.deepEqual(v1["status"], { currentReplicas: 0, desiredReplicas: 0 });
  assert.deepEqual(v1.metadata.annotations, {
    mine: "kept",
    "autoscaling.alpha.kubernetes.io/metrics":
      '[{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"5","selector":{"matchLabels":{"a":"b"}}}},' +
      '{"type":"Object","object":{"target":{"kind":"Deployment","name":"x","apiVersion":"apps/v1"},"metricName":"o","targetValue":"5"}}]',
    "autoscaling.alpha.kubernetes.io/behavior":
      '{"ScaleUp":{"StabilizationWindowSeconds":3,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},"ScaleDown":null}',
  });
});

test("the way there and back loses nothing", () => {
  assert.deepEqual(asV2(asV1(v2)), v2);
});

test("an annotation that a user broke says nothing, and the default metric stands in", () => {
  const broken: KubeObject = {
    ...asV1(v2),
    metadata: { name: "h", annotations: { "autoscaling.alpha.kubernetes.io/metrics": "{" } },
    spec: { scaleTargetRef: target, maxReplicas: 3 },
  };
  const { metrics } = asV2(broken)["spec"] as { metrics: unknown };
  assert.deepEqual(metrics, [
    { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
  ]);
});
