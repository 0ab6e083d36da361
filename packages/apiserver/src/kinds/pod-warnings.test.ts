import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatewright/kube";
import { servedFor, writeContext } from "./recorded/replay.ts";

const podSpec: JsonObject = {
  terminationGracePeriodSeconds: -1,
  imagePullSecrets: [
    {
      name: "x",
    },
    {
      name: "x",
    },
    {},
  ],
  hostAliases: [
    {
      ip: "1.1.1.1",
    },
    {
      ip: "1.1.1.1",
    },
  ],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: "z",
      whenUnsatisfiable: "ScheduleAnyway",
    },
  ],
  volumes: [
    {
      name: "g",
      gitRepo: {
        repository: "x",
      },
    },
  ],
  initContainers: [
    {
      name: "i",
      image: "x",
      ports: [
        {
          containerPort: 80,
          name: "http",
        },
      ],
    },
  ],
  containers: [
    {
      name: "c",
      image: "x",
      resources: {
        limits: {
          memory: "0.5",
          "ephemeral-storage": "1500m",
        },
      },
      env: [
        {
          name: "A",
          value: "1",
        },
        {
          name: "A",
          value: "2",
        },
        {
          name: "A",
          value: "$(A)3",
        },
      ],
      ports: [
        {
          containerPort: 80,
          name: "http",
        },
        {
          containerPort: 81,
          hostPort: 5,
        },
        {
          containerPort: 81,
        },
        {
          containerPort: 81,
          hostPort: 5,
          hostIP: "1.2.3.4",
        },
      ],
    },
  ],
};

// In the order in which a kube-apiserver 1.36.4 sent them.
const WARNINGS = [
  "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
  "spec.template.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod",
  'spec.template.metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
  "spec.template.spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
  'spec.template.spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
  'spec.template.spec.imagePullSecrets[1].name: duplicate name "x"',
  'spec.template.spec.imagePullSecrets[2].name: invalid empty name ""',
  'spec.template.spec.containers[0].resources.limits[memory]: fractional byte value "500m" is invalid, must be an integer',
  'spec.template.spec.containers[0].resources.limits[ephemeral-storage]: fractional byte value "1500m" is invalid, must be an integer',
  'spec.template.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
  "spec.template.spec.containers[0].ports[0]: duplicate port definition with spec.template.spec.initContainers[0].ports[0]",
  "spec.template.spec.containers[0].ports[2]: overlapping port definition with spec.template.spec.containers[0].ports[1]",
  "spec.template.spec.containers[0].ports[3]: dangerously ambiguous port definition with spec.template.spec.containers[0].ports[1]",
  "spec.template.spec.containers[0].ports[3]: overlapping port definition with spec.template.spec.containers[0].ports[2]",
  'spec.template.spec.containers[0].ports[0]: duplicate port name "http" with spec.template.spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.template.spec.initContainers[0].ports[0]',
  "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
];

function warningsOf(replicas: number, labels: JsonObject): string[] {
  const annotations = { "scheduler.alpha.kubernetes.io/critical-pod": "" };
  const body = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "a.b", namespace: "kinds" },
    spec: {
      replicas,
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels, annotations }, spec: podSpec },
    },
  };
  const { resource, version } = servedFor(body);
  const warnings: string[] = [];
  resource.strategy.validateCreate(version.decode(body).object, writeContext("v1", warnings));
  return warnings;
}

test("what is allowed and most likely a mistake is told in the server's words and order", () => {
  assert.deepEqual(warningsOf(1, { a: "b" }), WARNINGS);
});

test("an object that is refused is not warned about", () => {
  assert.deepEqual(warningsOf(1, { a: "other" }), []);
});
