import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { gatewayResources } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { TLS_ROUTES } from "../hostnames/hijack-world.ts";
import { eventually } from "./eventually.ts";

/** The kinds of others that ours build on, where the test bed or another suite has not brought them. They stay. */
export async function installOthersKinds(admin: Client): Promise<void> {
  const crds = admin.for(apiextensions.CustomResourceDefinition);
  const there = new Set((await crds.list()).items.map(({ metadata }) => metadata.name));
  for (const crd of [...gatewayResources.map((kind) => crdOf(kind)), TLS_ROUTES])
    if (!there.has(crd.metadata.name)) await crds.apply(crd);
  await untilServed(admin);
}

/** Until every definition is served. */
export async function untilServed(admin: Client): Promise<void> {
  await eventually(
    "all kinds are served",
    async () => (await admin.for(apiextensions.CustomResourceDefinition).list()).items,
    (crds) =>
      crds.every(({ status }) =>
        status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True"),
      ),
  );
}
