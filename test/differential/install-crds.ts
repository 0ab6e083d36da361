import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "./world.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const TIMEOUT_MS = 60_000;

interface Manifest {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Creates custom resources and waits until each of their versions can be listed. */
export async function installCrds(world: World, crds: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${world.tokens.admin}`, "content-type": "application/json" };
  await Promise.all(
    (crds as readonly Manifest[]).map(async (crd) => {
      const made = await world.exchange.ask({ method: "POST", path: CRDS, headers, body: JSON.stringify(crd) });
      if (made.status !== 201) {
        // An older server does not know all that a schema may hold: the cases that need it will differ.
        console.log(`the ${world.name} server refused ${crd.metadata.name}: ${made.text}`);
        return;
      }
      const deadline = performance.now() + TIMEOUT_MS;
      for (const version of crd.spec.versions.filter(({ served }) => served)) {
        const path = `/apis/${crd.spec.group}/${version.name}/${crd.spec.names.plural}`;
        while ((await world.exchange.ask({ method: "GET", path, headers })).status !== 200) {
          if (performance.now() > deadline) throw new Error(`${world.name} does not serve ${path}`);
          await sleep(100);
        }
      }
    }),
  );
}
