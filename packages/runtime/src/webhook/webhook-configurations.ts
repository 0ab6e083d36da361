import type { ObjectMeta } from "@gatewright/kube";
import type { admissionregistration, apiextensions } from "@gatewright/kube/api";
import { conversionTarget, mutatingTarget, validatingTarget } from "./injection/injection-target.ts";
import type { InjectionTarget } from "./injection/injection-target.ts";
import type { Webhook } from "./webhook.ts";

/** How API servers reach the webhook server: by a Service of the cluster, or by a URL such as `https://127.0.0.1:9443`. */
export type WebhookEndpoint =
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } }
  | { readonly url: string };

export interface ConfigurationOptions {
  /** The name of the configuration objects. */
  readonly name: string;
  readonly endpoint: WebhookEndpoint;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** PEM. Left out where it is injected. */
  readonly caBundle?: string;
}

/** What must be in a cluster so that its API servers ask our webhooks. */
export interface WebhookConfigurations {
  readonly validating: admissionregistration.ValidatingWebhookConfiguration | undefined;
  readonly mutating: admissionregistration.MutatingWebhookConfiguration | undefined;
  /** What `spec.conversion` of each of these CustomResourceDefinitions should be. */
  readonly conversions: ReadonlyMap<string, apiextensions.CustomResourceConversion>;
  /** Where the caBundle belongs. */
  readonly targets: readonly InjectionTarget[];
}

type AdmissionWebhook = Exclude<Webhook, { type: "converting" }>;

/** The configuration objects for these webhooks. Pure: for charts, and for a machine where the URL points to itself. */
export function webhookConfigurations(
  webhooks: readonly Webhook[],
  options: ConfigurationOptions,
): WebhookConfigurations {
  const { name, labels, annotations } = options;
  const metadata: ObjectMeta = {
    name,
    ...(labels && { labels: { ...labels } }),
    ...(annotations && { annotations: { ...annotations } }),
  };
  const apiVersion = "admissionregistration.k8s.io/v1";
  const validating = webhooks.filter((webhook) => webhook.type === "validating");
  const mutating = webhooks.filter((webhook) => webhook.type === "mutating");
  const conversions = new Map(
    webhooks
      .filter((webhook) => webhook.type === "converting")
      .map(({ path, conversion: { hub } }) => [`${hub.plural}.${hub.group}`, conversionOf(path, options)] as const),
  );
  return {
    validating:
      validating.length === 0
        ? undefined
        : {
            apiVersion,
            kind: "ValidatingWebhookConfiguration",
            metadata,
            webhooks: validating.map((each) => common(each, options)),
          },
    mutating:
      mutating.length === 0
        ? undefined
        : {
            apiVersion,
            kind: "MutatingWebhookConfiguration",
            metadata,
            webhooks: mutating.map((each) => ({
              ...common(each, options),
              reinvocationPolicy: each.reinvocationPolicy ?? "Never",
            })),
          },
    conversions,
    targets: [
      ...(validating.length === 0 ? [] : [validatingTarget(name)]),
      ...(mutating.length === 0 ? [] : [mutatingTarget(name)]),
      ...[...conversions.keys()].map(conversionTarget),
    ],
  };
}

function common(webhook: AdmissionWebhook, options: ConfigurationOptions): admissionregistration.ValidatingWebhook {
  const { for: resource, operations = ["CREATE", "UPDATE"], subresource, matchConditions } = webhook;
  const { namespaceSelector, objectSelector } = webhook;
  return {
    name: webhook.name,
    admissionReviewVersions: ["v1"],
    clientConfig: clientConfig(webhook.path, options),
    rules: [
      {
        apiGroups: [resource.group],
        apiVersions: [resource.version],
        resources: [subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`],
        operations: [...operations],
        scope: resource.namespaced ? "Namespaced" : "Cluster",
      },
    ],
    failurePolicy: webhook.failurePolicy ?? "Fail",
    matchPolicy: webhook.matchPolicy ?? "Equivalent",
    sideEffects: webhook.sideEffects ?? "None",
    timeoutSeconds: webhook.timeoutSeconds ?? 10,
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    ...(matchConditions !== undefined && { matchConditions: [...matchConditions] }),
  };
}

function conversionOf(path: string, options: ConfigurationOptions): apiextensions.CustomResourceConversion {
  return {
    strategy: "Webhook",
    webhook: { clientConfig: clientConfig(path, options), conversionReviewVersions: ["v1"] },
  };
}

function clientConfig(
  path: string,
  { endpoint, caBundle }: ConfigurationOptions,
): admissionregistration.WebhookClientConfig {
  const trust = caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString("base64") };
  if ("url" in endpoint) return { url: `${endpoint.url.replace(/\/+$/, "")}${path}`, ...trust };
  const { namespace, name, port = 443 } = endpoint.service;
  return { service: { namespace, name, path, port }, ...trust };
}
