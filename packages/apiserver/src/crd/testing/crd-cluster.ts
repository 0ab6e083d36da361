import type { JsonObject, KubeObject } from "@gatewright/kube";
import { ManualClock, seededRandom } from "@gatewright/ports";
import type { Cluster } from "../../cluster.ts";
import type { Controller } from "../../controllers/controller.ts";
import { createLocalCluster } from "../../handlers/local-cluster.ts";
import { ResourceRegistry } from "../../resources/registry.ts";
import { createMemoryStore } from "../../store/index.ts";
import type { Store } from "../../store/index.ts";
import { startCrdController } from "../crd-controller.ts";
import { crdResource } from "../crd-resource.ts";
import type { WebhookCaller } from "../../admission/webhooks/webhook-client.ts";

/** A server's inside with nothing but CustomResourceDefinitions, on a clock that stands still. */
export interface CrdCluster {
  readonly cluster: Cluster;
  readonly store: Store;
  readonly reports: string[];
  readonly controller: Controller;
}

export function startCrdCluster(options: { store?: Store; callWebhook?: WebhookCaller } = {}): CrdCluster {
  const clock = new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5));
  const random = seededRandom();
  const store = options.store ?? createMemoryStore({ clock });
  const resources = new ResourceRegistry();
  resources.set(crdResource({ clock }));
  const cluster: Cluster = createLocalCluster(
    store,
    resources,
    {
      store,
      clock,
      random,
      cluster: () => cluster,
      admission: () => ({ mutate: async () => {}, validate: async () => {} }),
    },
    "kube-apiserver",
  );
  const reports: string[] = [];
  const controller = startCrdController(cluster, {
    clock,
    random,
    report: (message, error) => reports.push(`${message}: ${String(error)}`),
    callWebhook: options.callWebhook ?? (() => Promise.reject(new Error("no webhook"))),
  });
  return { cluster, store, reports, controller };
}

/** A definition of `widgets.example.com` with one version. */
export function widgetCrd(schema: JsonObject = { type: "object" }, over: JsonObject = {}): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      names: { plural: "widgets", kind: "Widget" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      ...over,
    },
  };
}
