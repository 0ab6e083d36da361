import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import type { ApiObject } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Finding } from "@gatewright/operator";
import type { Client } from "@gatewright/runtime";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const run = promisify(execFile);

/** What `gatewright doctor` finds, as somebody with this kubeconfig. */
export async function foundByDoctor(kubeconfig: string, ...args: readonly string[]): Promise<readonly Finding[]> {
  const command = [
    join(ROOT, "packages/cli/src/main.cjs"),
    "doctor",
    "-o",
    "json",
    "--kubeconfig",
    kubeconfig,
    ...args,
  ];
  const told = (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? "" });
  // It ends with another code when something fails, and says what.
  const { stdout } = await run(process.execPath, command).catch(told);
  return JSON.parse(stdout) as readonly Finding[];
}

/** Applies objects of any kind as a platform team does, with what the server says of their kinds. */
export async function applyAll(admin: Client, objects: readonly ApiObject[]): Promise<void> {
  for (const object of objects) {
    const path = await pathOf(admin, object);
    const { status, body } = await admin.request({
      method: "PATCH",
      path: `${path}/${object.metadata.name}?fieldManager=platform&force=true`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: Buffer.from(JSON.stringify(object)),
    });
    const text = await textOf(body);
    if (status >= 300) throw new Error(`${object.kind} ${object.metadata.name}: ${status} ${text}`);
  }
}

/** Deletes what was applied, whatever of it is there. */
export async function deleteAll(admin: Client, objects: readonly ApiObject[]): Promise<void> {
  for (const object of objects) {
    const path = await pathOf(admin, object);
    const { body } = await admin.request({ method: "DELETE", path: `${path}/${object.metadata.name}` });
    await textOf(body);
  }
}

async function pathOf(admin: Client, { apiVersion, kind, metadata }: ApiObject): Promise<string> {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { body } = await admin.request({ method: "GET", path: base });
  const { resources } = JSON.parse(await textOf(body)) as { resources: readonly { name: string; kind: string }[] };
  const found = resources.find((each) => each.kind === kind && !each.name.includes("/"));
  if (found === undefined) throw new Error(`the server has no ${kind} in ${apiVersion}`);
  const within = metadata.namespace === undefined ? "" : `/namespaces/${metadata.namespace}`;
  return `${base}${within}/${found.name}`;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A token of a service account. */
export async function tokenOf(
  admin: Client,
  account: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 7_200 } };
  const accounts = admin.for(core.ServiceAccount).subresource<{ readonly status: { readonly token: string } }>("token");
  return (await accounts.create(account, request)).status.token;
}

/** Makes a hosted zone. Gives its id. */
export async function createZone(endpoint: string, name: string): Promise<string> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new Route53Client({ endpoint, region: "us-east-1", credentials });
  const { HostedZone } = await client.send(new CreateHostedZoneCommand({ Name: name, CallerReference: name }));
  client.destroy();
  return HostedZone?.Id?.replace("/hostedzone/", "") ?? "";
}
