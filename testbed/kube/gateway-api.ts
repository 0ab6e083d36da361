import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubeClient } from "./kube-client.ts";

const DATA = join(import.meta.dirname, "..", "..", "..", "shared", "data");
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Installs the CRDs of the Gateway API that lie beside the checkout. Gives their names: none when they are not there. */
export async function installGatewayApi(client: KubeClient): Promise<string[]> {
  if (!existsSync(DATA)) return [];
  const installed: string[] = [];
  for (const file of globSync("gateway-api-*/**/*.yaml", { cwd: DATA }).sort()) {
    for (const document of parseAllDocuments(readFileSync(join(DATA, file), "utf8"))) {
      const manifest = document.toJS() as Manifest | null;
      if (manifest?.kind !== "CustomResourceDefinition" || installed.includes(manifest.metadata.name)) continue;
      const { status, body } = await client.ask("POST", CRDS, manifest);
      if (status !== 201) throw new Error(`${manifest.metadata.name} was refused: ${JSON.stringify(body)}`);
      installed.push(manifest.metadata.name);
    }
  }
  return installed;
}
