import type { Immutable } from "@gatewright/kube";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import { knownId } from "../engine/memory.ts";
import { UID_TAG } from "../engine/owner-tags.ts";
import { searchByTags } from "../engine/search.ts";
import type { Ground } from "../engine/session.ts";
import type { Found } from "./forecast.ts";

/**
 * Reads the resource of an object: by the tags of its consent to adopt as long as nothing was decided, by what its status knows, by its
 * name, or by the tag of the object. "unnamed": there is nothing to read it by.
 */
export async function look(
  kind: AnyKind,
  object: Immutable<Managed>,
  ground: Ground,
  declared: readonly string[],
): Promise<Found> {
  const { resource, pending } = object.status ?? {};
  const { byTags } = object.spec.management?.adopt ?? {};
  const wanted = new Set([...declared, ...(resource?.fields ?? [])]);
  const consented = byTags !== undefined && resource === undefined && pending === undefined;
  const [id, ...others] = consented ? await searchByTags(kind, ground, byTags) : await known(kind, object, ground);
  if (id === undefined) return "unnamed";
  if (others.length > 0) return "ambiguous";
  const seen = await kind.read(ground, id, wanted);
  return seen === "absent" || kind.stateOf(seen).is === "ended" ? "absent" : { seen };
}

/** What AWS knows the resource by: as it was told, as it is named, or as what was made for the object and is not in its status yet. */
async function known(kind: AnyKind, object: Immutable<Managed>, ground: Ground): Promise<readonly string[]> {
  const id = knownId(object.status ?? {}) ?? kind.nameOf(object.spec);
  if (id !== undefined) return [id];
  const made = (await kind.findTagged?.(ground, UID_TAG, object.metadata.uid ?? "")) ?? [];
  return made.slice(0, 1);
}
