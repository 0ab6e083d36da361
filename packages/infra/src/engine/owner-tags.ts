import { getOwn } from "@gatewright/kube";
import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { Managed } from "./aws-kind.ts";

export type Tags = Readonly<Record<string, string>>;

/** The tag whose value is the uid of the object that a resource is made for. */
export const UID_TAG = "gatewright.dev/uid";
const KEYS = ["managed-by", "gatewright.dev/cluster", "gatewright.dev/namespace", "gatewright.dev/name", UID_TAG];

/** The keys of tags that say whose a resource is. */
export const OWNER_TAGS: ReadonlySet<string> = new Set(KEYS);

/** Tags that say whose a resource is: set with its creation, and the only proof that it may be changed. */
export function ownerTags(cluster: string, { metadata }: Immutable<Managed>): Tags {
  const { namespace = "", name = "", uid = "" } = metadata;
  return {
    "managed-by": "gatewright",
    "gatewright.dev/cluster": cluster,
    "gatewright.dev/namespace": namespace,
    "gatewright.dev/name": name,
    [UID_TAG]: uid,
  };
}

/** Whether the tags say that a resource is this object's. */
export function isOwn(tags: Tags, { metadata }: Immutable<Managed>): boolean {
  return metadata.uid !== undefined && getOwn(tags, UID_TAG) === metadata.uid;
}

/** Whose a resource is by its tags, in words; undefined when they do not say. */
export function ownerIn(tags: Tags): string | undefined {
  if (getOwn(tags, UID_TAG) === undefined) return undefined;
  const [cluster, namespace, name] = KEYS.slice(1, 4).map((key) => getOwn(tags, key) ?? "?");
  return `${namespace}/${name} of cluster ${cluster}`;
}

/** The object that the tags say a resource belongs to; whether it is there still, they do not say. */
export function ownerOf(tags: Tags): { readonly ref: Required<ObjectRef>; readonly uid: string } | undefined {
  const [namespace, name, uid] = KEYS.slice(2).map((key) => (Object.hasOwn(tags, key) ? tags[key] : undefined));
  if (namespace === undefined || name === undefined || uid === undefined) return undefined;
  return { ref: { namespace, name }, uid };
}
