import { setTimeout as sleep } from "node:timers/promises";
import type { KubeClient } from "../kube/kube-client.ts";
import type { Manifest } from "./rendered-chart.ts";

/** An object that a server refused. */
export interface Refusal {
  readonly kind: string;
  readonly name: string;
  readonly why: string;
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const SERVED_MS = 30_000;

/**
 * Lets a server judge each object by a dry run that refuses unknown fields. CRDs and Namespaces are really created, because
 * other objects need them: meant for a server that is thrown away.
 */
export async function judgeManifests(
  client: KubeClient,
  manifests: readonly Manifest[],
  namespace: string,
  signal?: AbortSignal,
): Promise<Refusal[]> {
  await client.ask("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  const ownGroups = manifests.some(({ kind }) => kind === "CustomResourceDefinition");
  const refusals: Refusal[] = [];
  for (const manifest of manifests) {
    signal?.throwIfAborted();
    const why = await judge(client, manifest, namespace, ownGroups ? SERVED_MS : 0, signal);
    if (why !== undefined) refusals.push({ kind: manifest.kind, name: manifest.name, why });
  }
  return refusals;
}

async function judge(
  client: KubeClient,
  manifest: Manifest,
  namespace: string,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const resource = await servedAs(client, manifest, patienceMs, signal);
  if (!resource) return `${manifest.apiVersion} has no ${manifest.kind}`;
  const stays = manifest.kind === "CustomResourceDefinition" || manifest.kind === "Namespace";
  const within = resource.namespaced ? `/namespaces/${manifest.namespace ?? namespace}` : "";
  const path = `${groupPath(manifest)}${within}/${resource.name}/${manifest.name}`;
  const query = `fieldManager=chart-check&force=true&fieldValidation=Strict${stays ? "" : "&dryRun=All"}`;
  const { status, body } = await client.ask("PATCH", `${path}?${query}`, manifest.text, "application/apply-patch+yaml");
  return status < 300 ? undefined : (body as { readonly message: string }).message;
}

/** The resource of an object's kind. Custom kinds of the chart take a while to be served. */
async function servedAs(
  client: KubeClient,
  manifest: Manifest,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<ApiResource | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { status, body } = await client.ask("GET", groupPath(manifest));
    const { resources = [] } = status === 200 ? (body as { readonly resources?: readonly ApiResource[] }) : {};
    const found = resources.find(({ kind, name }) => kind === manifest.kind && !name.includes("/"));
    if (found || performance.now() > deadline) return found;
    await sleep(100, undefined, { signal });
  }
}

function groupPath({ apiVersion }: Manifest): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
