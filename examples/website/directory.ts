import { keyOf, refOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Website } from "./website.ts";

/** Where other teams look websites up: one ConfigMap for each. */
export const DIRECTORY = "website-directory";

/** Says on an entry whose it is; also the name of the finalizer. */
export const OWNER = "examples.gatewright.dev/website";

/** The entry of a website. Namespaces hold no dots, so no two websites share a name here. */
export function directoryEntry(site: Immutable<Website>) {
  const { namespace, name } = site.metadata;
  return {
    metadata: { namespace: DIRECTORY, name: `${namespace}.${name}`, annotations: { [OWNER]: keyOf(site) } },
    data: { page: site.spec.page },
  };
}

/** The website that an entry belongs to; none for other ConfigMaps. */
export function siteOf({ metadata }: Immutable<core.ConfigMap>): readonly ObjectRef[] {
  const owner = metadata.namespace === DIRECTORY ? metadata.annotations?.[OWNER] : undefined;
  return owner === undefined ? [] : [refOf(owner)];
}
