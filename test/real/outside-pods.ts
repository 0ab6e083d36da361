import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getOwn } from "@gatewright/kube";
import type { ApiObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";
import { eventually } from "./eventually.ts";

/** Webhooks whose API server is in no cluster that has Services. */
export function reachedAt(object: ApiObject, port: number): ApiObject {
  if (object.kind !== "ValidatingWebhookConfiguration") return object;
  const { webhooks } = object as ApiObject & { webhooks: { clientConfig: { service: { path: string } } }[] };
  const here = webhooks.map((each) => ({
    ...each,
    clientConfig: { url: `https://127.0.0.1:${port}${each.clientConfig.service.path}` },
  }));
  return { ...object, webhooks: here } as ApiObject;
}

/** The certificate that the operator made for a gateway, in files as they would be mounted. */
export async function mountedSecret(
  admin: Client,
  secret: { readonly namespace: string; readonly name: string },
  folder: string,
): Promise<void> {
  const found = await eventually(
    `Secret ${secret.name} is there`,
    () => admin.for(core.Secret).find(secret),
    (seen) => seen !== undefined,
  );
  await mkdir(folder, { recursive: true });
  for (const file of ["tls.crt", "tls.key", "ca.crt"])
    await writeFile(join(folder, file), Buffer.from(String(getOwn(found?.data ?? {}, file)), "base64"), {
      mode: 0o600,
    });
}

/** The environment that a container gets in the pod of this name. */
export function environmentOf({ env = [] }: core.Container, pod: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    env.map(({ name, value = "", valueFrom }) => {
      if (valueFrom !== undefined && valueFrom.fieldRef?.fieldPath !== "metadata.name")
        throw new Error(`${name} is from what only a pod has`);
      return [name, valueFrom === undefined ? value : pod];
    }),
  );
}
