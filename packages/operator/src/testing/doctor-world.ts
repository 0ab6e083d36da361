import { createApiServer } from "@gatewright/apiserver";
import type { ApiServer } from "@gatewright/apiserver";
import type { Aws } from "@gatewright/aws";
import type { apiextensions } from "@gatewright/kube/api";
import type { KubeObject } from "@gatewright/kube";
import { crdOf } from "@gatewright/kube/define/manifests";
import { systemClock } from "@gatewright/ports";
import { gatewayResources } from "@gatewright/resources";
import { createClient } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { examineCluster } from "../doctor/examine-cluster.ts";
import type { Finding } from "../doctor/finding.ts";
import { DEFAULT_INSTALL_SETTINGS } from "../install/install-settings.ts";
import type { InstallSettings } from "../install/install-settings.ts";
import { installation } from "../install/installation.ts";

type Settings = Partial<InstallSettings> & { readonly gatewayAwsVersion?: "v1" | "v1beta1" };

/** A cluster that is examined. */
export interface DoctorWorld extends AsyncDisposable {
  readonly server: ApiServer;
  readonly admin: Client;
  /** Kinds of the Gateway API and of the AWS Load Balancer Controller. */
  installOthers(
    change?: (crd: apiextensions.CustomResourceDefinition) => apiextensions.CustomResourceDefinition,
  ): Promise<void>;
  /** What `gatewright manifests` prints. */
  install(settings?: Settings): Promise<void>;
  apply(object: unknown): Promise<void>;
  /** Gives what was found, by what was looked at. */
  examine(
    settings?: Settings,
    as?: { readonly client?: Client; readonly aws?: Aws },
  ): Promise<ReadonlyMap<string, Finding>>;
}

export async function createDoctorWorld(): Promise<DoctorWorld> {
  const server = await createApiServer();
  const admin = createClient(server.transport(), { fieldManager: "platform" });
  const { signal } = new AbortController();
  const apply = async (object: unknown): Promise<void> => {
    const { apiVersion, kind, metadata } = object as KubeObject;
    const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await json<{ resources: readonly { name: string; kind: string }[] }>(admin, base);
    const plural = resources.find((each) => each.kind === kind && !each.name.includes("/"))?.name;
    const within = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
    const { status, body } = await admin.request({
      method: "PATCH",
      path: `${base}${within}/${plural}/${metadata.name}?fieldManager=platform&force=true`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: JSON.stringify(object),
    });
    let text = "";
    for await (const chunk of body) text += String(chunk);
    if (status >= 300) throw new Error(`${kind} ${metadata.name}: ${text}`);
  };
  return {
    server,
    admin,
    apply,
    async installOthers(change = (crd) => crd) {
      for (const kind of gatewayResources) await apply(change(crdOf(kind)));
      await server.idle();
    },
    async install(settings) {
      const { namespaces, crds, rbac, policy, webhook, classes } = installation({
        ...DEFAULT_INSTALL_SETTINGS,
        ...settings,
      });
      for (const object of [...namespaces, ...crds]) await apply(object);
      await server.idle();
      for (const object of [...rbac, ...policy, ...webhook, ...classes]) await apply(object);
    },
    async examine(settings, { client = admin, aws } = {}) {
      const all = { ...DEFAULT_INSTALL_SETTINGS, gatewayAwsVersion: "v1" as const, ...settings };
      const findings = await examineCluster({ client, settings: all, aws, clock: systemClock }, signal);
      return new Map(findings.map((finding) => [finding.check, finding]));
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

async function json<T>(client: Client, path: string): Promise<T> {
  const { body } = await client.request({ method: "GET", path });
  let text = "";
  for await (const chunk of body) text += String(chunk);
  return JSON.parse(text) as T;
}
