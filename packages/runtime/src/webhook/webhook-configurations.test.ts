import assert from "node:assert/strict";
import { test } from "node:test";
import { apps, core } from "@gatewright/kube/api";
import { allowed, converting, mutating, validating, webhookConfigurations } from "./index.ts";

const webhooks = [
  validating({ for: apps.Deployment, name: "a.example.com", failurePolicy: "Ignore", handle: () => allowed() }),
  mutating({
    for: core.Node,
    name: "b.example.com",
    operations: ["CREATE"],
    subresource: "status",
    handle: () => allowed(),
  }),
  converting({
    hub: { group: "example.com", version: "v1", kind: "Widget", plural: "widgets", namespaced: true },
    spokes: [],
  }),
];

test("configurations say which requests are asked of which path, by a Service or a URL", () => {
  const service = { namespace: "system", name: "webhooks" };
  const made = webhookConfigurations(webhooks, { name: "ours", endpoint: { service }, labels: { app: "x" } });
  assert.deepEqual(made.validating?.metadata, { name: "ours", labels: { app: "x" } });
  assert.deepEqual(made.validating.webhooks, [
    {
      name: "a.example.com",
      admissionReviewVersions: ["v1"],
      clientConfig: { service: { ...service, path: "/validate-apps-v1-deployment", port: 443 } },
      rules: [
        {
          apiGroups: ["apps"],
          apiVersions: ["v1"],
          resources: ["deployments"],
          operations: ["CREATE", "UPDATE"],
          scope: "Namespaced",
        },
      ],
      failurePolicy: "Ignore",
      matchPolicy: "Equivalent",
      sideEffects: "None",
      timeoutSeconds: 10,
    },
  ]);
  const [node] = made.mutating?.webhooks ?? [];
  assert.deepEqual([node?.rules?.[0]?.resources, node?.rules?.[0]?.scope], [["nodes/status"], "Cluster"]);
  assert.deepEqual([node?.clientConfig.service?.path, node?.reinvocationPolicy], ["/mutate-v1-node-status", "Never"]);
  const local = webhookConfigurations(webhooks, {
    name: "ours",
    endpoint: { url: "https://127.0.0.1:9443/" },
    caBundle: "pem",
  });
  assert.deepEqual(local.conversions.get("widgets.example.com")?.webhook, {
    clientConfig: { url: "https://127.0.0.1:9443/convert-example-com-widget", caBundle: "cGVt" },
    conversionReviewVersions: ["v1"],
  });
  assert.deepEqual(
    local.targets.map(({ resource, name }) => `${resource.kind} ${name}`),
    [
      "ValidatingWebhookConfiguration ours",
      "MutatingWebhookConfiguration ours",
      "CustomResourceDefinition widgets.example.com",
    ],
  );
  assert.deepEqual(webhookConfigurations([], { name: "none", endpoint: { service } }).targets, []);
});
