import assert from "node:assert/strict";
import { StatusError } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { systemClock, systemRandom } from "@gatewright/ports";
import { FakeCluster } from "../../controllers/testing/fake-cluster.ts";
import { createNamespace, namespaceResource } from "../../controllers/testing/fake-namespace.ts";
import { fakeResource } from "../../controllers/testing/fake-resource.ts";
import { createAdmission } from "../chain.ts";
import { createWebhookCaller } from "../webhooks/webhook-client.ts";
import { attributesFor } from "./attributes.ts";
import { startWebhookServer } from "./webhook-server.ts";
import type { Answer } from "./webhook-server.ts";

const GROUP = "admissionregistration.k8s.io";
export const configMaps = fakeResource("ConfigMap");
export const widgets = fakeResource("Widget", { group: "example.com", versions: ["v1", "v1beta1"] });
export const nodes = fakeResource("Node", { namespaced: false });
export const configurations = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map((kind) =>
  fakeResource(kind, { group: GROUP, namespaced: false }),
);

/** A cluster with one namespace, and the whole admission chain on it. */
export async function webhookWorld() {
  const resources = [
    namespaceResource(),
    configMaps,
    widgets,
    nodes,
    ...configurations,
    ...["LimitRange", "ResourceQuota"].map((kind) => fakeResource(kind)),
    ...["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"].map((kind) =>
      fakeResource(kind, { group: GROUP, namespaced: false }),
    ),
  ];
  const cluster = new FakeCluster(systemClock, resources);
  const reports: string[] = [];
  const admission = createAdmission({
    cluster,
    authorizer: { authorize: ({ user }) => ({ allowed: user.username === "alice", reason: "" }) },
    clock: systemClock,
    random: systemRandom,
    callWebhook: createWebhookCaller({ clock: systemClock, resolveService: () => undefined }),
    report: (message) => reports.push(message),
  });
  await createNamespace(cluster, "ns", { team: "a" });
  const configure = (type: "Mutating" | "Validating", name: string, ...webhooks: JsonObject[]) =>
    cluster.create(
      { group: GROUP, resource: `${type.toLowerCase()}webhookconfigurations` },
      { apiVersion: `${GROUP}/v1`, kind: `${type}WebhookConfiguration`, metadata: { name }, webhooks },
    );
  return { cluster, admission, configure, reports };
}

/** A webhook that is asked about everything, with some fields of its own. */
export function webhook(clientConfig: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    name: "hook.example.com",
    clientConfig,
    rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], scope: "*" }],
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    timeoutSeconds: 10,
    admissionReviewVersions: ["v1"],
    ...more,
  };
}

export function configMap(data?: Record<string, string>, labels?: Record<string, string>): KubeObject {
  const metadata = { name: "c", namespace: "ns", ...(labels && { labels }) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata, ...(data && { data }) };
}

/** The StatusError with which something was refused. */
export async function refusedWith(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: "the request passed" });
}

/** What becomes of the creation of a ConfigMap when one webhook gives this answer. */
export async function outcome(type: "Mutating" | "Validating", answer: Answer, more: JsonObject = {}) {
  const { admission, configure, reports } = await webhookWorld();
  await using server = await startWebhookServer(answer);
  await configure(type, "conf", webhook(server.clientConfig(), more));
  const attributes = attributesFor(configMaps, "CREATE", configMap());
  const step = type === "Mutating" ? admission.mutate(attributes) : admission.validate(attributes);
  const error = await step.then(
    () => undefined,
    (reason: unknown) => {
      assert.ok(reason instanceof StatusError, String(reason));
      return reason;
    },
  );
  return { error, attributes, reports };
}
