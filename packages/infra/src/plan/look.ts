import type { Immutable } from "@gatewright/kube";
import type { AnyKind, Managed } from "../engine/aws-kind.ts";
import { knownId } from "../engine/memory.ts";
import { UID_TAG } from "../engine/owner-tags.ts";
import type { Ground } from "../engine/session.ts";
import type { Found } from "./forecast.ts";

/** Reads the resource of an object: by what its status knows, by its name, or by the tags of its consent to adopt. */
export async function look(
  kind: AnyKind,
  object: Immutable<Managed>,
  ground: Ground,
  declared: readonly string[],
): Promise<Found> {
  const wanted = new Set([...declared, ...(object.status?.resource?.fields ?? [])]);
  const id = knownId(object.status ?? {}) ?? kind.nameOf(object.spec) ?? (await tagged(kind, object, ground));
  if (id === undefined) return "unnamed";
  if (id === "ambiguous") return "ambiguous";
  const seen = await kind.read(ground, id, wanted);
  return seen === "absent" ? "absent" : { seen };
}

/** The resource that was made for the object and is not in its status yet, or the one that has all the tags of the consent. */
async function tagged(kind: AnyKind, object: Immutable<Managed>, ground: Ground): Promise<string | undefined> {
  const { byTags } = object.spec.management?.adopt ?? {};
  if (kind.findTagged === undefined) return undefined;
  const [own] = await kind.findTagged(ground, UID_TAG, object.metadata.uid ?? "");
  if (own !== undefined || byTags === undefined) return own;
  let ids: readonly string[] | undefined;
  for (const [key, value] of Object.entries(byTags)) {
    const found = await kind.findTagged(ground, key, value);
    ids = ids === undefined ? found : ids.filter((id) => found.includes(id));
  }
  return ids !== undefined && ids.length > 1 ? "ambiguous" : ids?.[0];
}
