import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import { admissionregistration, apiextensions } from "@gatewright/kube/api";
import { systemClock, systemRandom } from "@gatewright/ports";
import { createClient } from "../../client/create-client.ts";
import type { Client } from "../../client/client.ts";
import { eventually } from "../../manager/testing/eventually.ts";
import { createMetrics, quietLog } from "@gatewright/telemetry";
import type { Log, MetricsRegistry } from "@gatewright/telemetry";
import { secretCertificates } from "../certificate/secret-certificates.ts";
import type { CertificateSource } from "../certificate/certificate-source.ts";
import { createCaInjector } from "../injection/create-ca-injector.ts";
import type { CaInjector } from "../injection/create-ca-injector.ts";
import { createWebhookServer } from "../server/create-webhook-server.ts";
import type { WebhookServer } from "../server/create-webhook-server.ts";
import type { Webhook } from "../webhook.ts";
import { webhookConfigurations } from "../webhook-configurations.ts";

export interface Widget extends ApiObject {
  spec: { size?: number; colour?: string };
}

/** The newest version, which is stored; the older one calls the colour `paint`. */
export const Widget: Resource<Widget> = {
  group: "example.com",
  version: "v2",
  kind: "Widget",
  plural: "widgets",
  namespaced: true,
};

export interface WidgetV1 extends ApiObject {
  spec: { size?: number; paint?: string };
}

export const WidgetV1: Resource<WidgetV1> = { ...(Widget as unknown as Resource<WidgetV1>), version: "v1" };

export interface WebhookWorld extends AsyncDisposable {
  readonly api: ApiServer;
  /** A bystander's client. What the server warned of is collected. */
  readonly user: Client;
  readonly warnings: readonly string[];
  readonly url: string;
  readonly certificates: CertificateSource;
  readonly server: WebhookServer;
  readonly injector: CaInjector;
  readonly metrics: MetricsRegistry;
  /** Ends the webhook server, and resolves when it has drained. */
  stop(): Promise<void>;
}

/** The embedded API server with these webhooks, over real HTTPS on loopback; resolves when they are asked and trusted. */
export async function webhookWorld(webhooks: readonly Webhook[], log: Log = quietLog): Promise<WebhookWorld> {
  const api = await createApiServer();
  const warnings: string[] = [];
  const transport = api.transport();
  const user = createClient(async (request) => {
    const response = await transport(request);
    warnings.push(...[response.headers["warning"] ?? []].flat());
    return response;
  });
  const ports = { clock: systemClock, random: systemRandom, log };
  const secret = { namespace: "default", name: "webhook-certificates" };
  const certificates = secretCertificates({ client: user, secret, hosts: ["127.0.0.1"], ...ports });
  const metrics = createMetrics();
  const address = Promise.withResolvers<{ readonly port: number }>();
  const server = createWebhookServer({
    webhooks,
    certificates,
    clock: systemClock,
    log,
    metrics,
    host: "127.0.0.1",
    port: 0,
    listening: address.resolve,
  });
  const stop = new AbortController();
  const serving = server.run(stop.signal);
  const url = `https://127.0.0.1:${(await address.promise).port}`;
  const { validating, mutating, conversions, targets } = webhookConfigurations(webhooks, {
    name: "test",
    endpoint: { url },
  });
  await user
    .for(apiextensions.CustomResourceDefinition)
    .create(widgetDefinition(conversions.get("widgets.example.com")));
  await api.idle();
  if (validating) await user.for(admissionregistration.ValidatingWebhookConfiguration).create(validating);
  if (mutating) await user.for(admissionregistration.MutatingWebhookConfiguration).create(mutating);
  const injector = createCaInjector({ targets, certificates, client: user, clock: systemClock, log });
  const injecting = injector.run(stop.signal);
  await eventually("the bundle is injected", () => injector.check.problem() === undefined);
  await api.idle();
  const end = async (): Promise<void> => {
    stop.abort();
    await Promise.all([serving, injecting]);
  };
  return {
    api,
    user,
    warnings,
    url,
    certificates,
    server,
    injector,
    metrics,
    stop: end,
    async [Symbol.asyncDispose]() {
      await end();
      await api.close();
    },
  };
}

/** A Widget to create. */
export function widget(name: string, spec: Widget["spec"]): Immutable<Widget> {
  return { apiVersion: "example.com/v2", kind: "Widget", metadata: { name, namespace: "default" }, spec };
}

function widgetDefinition(
  conversion: apiextensions.CustomResourceConversion | undefined,
): apiextensions.CustomResourceDefinition {
  const version = (name: string, colour: string): apiextensions.CustomResourceDefinitionVersion => {
    const properties = { size: { type: "integer" }, [colour]: { type: "string" } };
    const schema = { type: "object", properties: { spec: { type: "object", properties } } };
    return { name, served: true, storage: name === "v2", schema: { openAPIV3Schema: schema } };
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Widget", plural: "widgets", singular: "widget", listKind: "WidgetList" },
      versions: [version("v1", "paint"), version("v2", "colour")],
      ...(conversion !== undefined && { conversion }),
    },
  };
}
