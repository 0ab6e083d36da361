import { createHash } from "node:crypto";
import type { Immutable } from "@gatewright/kube";
import { apiextensions } from "@gatewright/kube/api";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { crdOf } from "@gatewright/kube/define/manifests";
import type { Client } from "@gatewright/runtime";

/** Which definition was installed: taking one in costs the server more than all else at its start. */
const INSTALLED = "gatewright.dev/definition";

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
    // The server judges the schemas anyway.
    const crd = crdOf(definition, { check: false });
    const digest = createHash("sha256").update(JSON.stringify(crd)).digest("base64url");
    const known = there.get(crd.metadata.name);
    if (known !== undefined && (known.metadata.annotations?.[INSTALLED] === digest || !isOurs(known, manager)))
      continue;
    const annotations = { ...crd.metadata.annotations, [INSTALLED]: digest };
    await crds.apply({ ...crd, metadata: { ...crd.metadata, annotations } }, { signal });
  }
}

function isOurs({ metadata }: Immutable<apiextensions.CustomResourceDefinition>, manager: string): boolean {
  const writers = metadata.managedFields?.filter(
    ({ subresource, fieldsV1 }) =>
      (subresource ?? "") === "" && fieldsV1 !== undefined && Object.hasOwn(fieldsV1, "f:spec"),
  );
  return writers?.every((entry) => entry.manager === manager) ?? true;
}
