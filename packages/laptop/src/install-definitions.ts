import type { Immutable } from "@gatewright/kube";
import { apiextensions } from "@gatewright/kube/api";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { crdOf } from "@gatewright/kube/define/manifests";
import type { Client } from "@gatewright/runtime";

/**
 * Makes the server know these kinds, or brings it up to date. A definition over which somebody else has written another one, such as
 * the published one of its project, stays as it is. `manager` is who the client's writes are attributed to.
 */
export async function installDefinitions(
  client: Client,
  manager: string,
  definitions: readonly ResourceDefinition[],
  signal: AbortSignal,
): Promise<void> {
  const crds = client.for(apiextensions.CustomResourceDefinition);
  const there = new Map((await crds.list({ signal })).items.map((crd) => [crd.metadata.name, crd]));
  for (const definition of definitions) {
    const known = there.get(`${definition.plural}.${definition.group}`);
    if (known !== undefined && !isOurs(known, manager)) continue;
    // The server judges the schemas anyway.
    await crds.apply(crdOf(definition, { check: false }), { signal });
  }
}

function isOurs({ metadata }: Immutable<apiextensions.CustomResourceDefinition>, manager: string): boolean {
  const writers = metadata.managedFields?.filter(
    ({ subresource, fieldsV1 }) =>
      (subresource ?? "") === "" && fieldsV1 !== undefined && Object.hasOwn(fieldsV1, "f:spec"),
  );
  return writers?.every((entry) => entry.manager === manager) ?? true;
}
