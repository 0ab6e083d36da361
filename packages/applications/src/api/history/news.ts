import { compareResourceVersions } from "@gatewright/kube";
import type { ApiObject, Immutable } from "@gatewright/kube";
import type { ObservedChange } from "./change-record.ts";

/**
 * What a change means to someone who was last told `known` of the object. Pure, and what makes it safe to see a change twice, or
 * to see only its outcome: each version of an object is told once, and nothing that was never added is modified or deleted.
 */
export function newsOf(known: Immutable<ApiObject> | undefined, seen: ObservedChange): readonly ObservedChange[] {
  const { type, object } = seen;
  const same = known !== undefined && known.metadata.uid === object.metadata.uid;
  if (type === "DELETED") return same ? [seen] : [];
  if (known === undefined) return [{ type: "ADDED", object }];
  // The name was taken anew while nobody looked.
  if (!same)
    return [
      { type: "DELETED", object: known },
      { type: "ADDED", object },
    ];
  return isNewer(object, known) ? [{ type: "MODIFIED", object }] : [];
}

function isNewer(object: Immutable<ApiObject>, known: Immutable<ApiObject>): boolean {
  const [now = "", before = ""] = [object.metadata.resourceVersion, known.metadata.resourceVersion];
  return (compareResourceVersions(now, before) ?? (now === before ? 0 : 1)) > 0;
}
