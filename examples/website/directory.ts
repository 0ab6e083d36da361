import { keyOf, refOf } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Website } from "./website.ts";

/** Where other teams look websites up: one ConfigMap for each. */
export const DIRECTORY = "website-directory";

/** Says on an entry whose it is; also the name of the finalizer. */
export const OWNER = "examples.gatewright.dev/website";
const OWNER_UID = "examples.gatewright.dev/website-uid";

/** Where the entry of a website is. Namespaces hold no dots, so no two websites share a name here. */
export function entryOf({ namespace, name }: ObjectRef): ObjectRef {
  return { namespace: DIRECTORY, name: `${namespace}.${name}` };
}

/** The entry of a website. It says by uid which one is meant: another may get the same name. */
export function directoryEntry(site: Immutable<Website>) {
  const key = keyOf(site);
  return {
    metadata: { ...entryOf(refOf(key)), annotations: { [OWNER]: key, [OWNER_UID]: site.metadata.uid ?? "" } },
    data: { page: site.spec.page },
  };
}

/** Whether an entry says all that it should, whatever else it says. */
export function says({ metadata, data }: Immutable<core.ConfigMap>, entry: ReturnType<typeof directoryEntry>): boolean {
  const annotations = Object.entries(entry.metadata.annotations);
  return data?.["page"] === entry.data.page && annotations.every(([key, text]) => metadata.annotations?.[key] === text);
}

/** Whether an entry is of this very website. */
export function isEntryOf({ metadata }: Immutable<core.ConfigMap>, site: Immutable<Website>): boolean {
  return metadata.annotations?.[OWNER_UID] === site.metadata.uid;
}

/** The website that an entry belongs to; none for other ConfigMaps. */
export function siteOf({ metadata }: Immutable<core.ConfigMap>): readonly ObjectRef[] {
  const owner = metadata.namespace === DIRECTORY ? metadata.annotations?.[OWNER] : undefined;
  return owner === undefined ? [] : [refOf(owner)];
}
