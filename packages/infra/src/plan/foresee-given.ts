import type { Immutable } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import type { Given } from "../engine/given.ts";
import { gatherGiven } from "../references/gather-given.ts";
import type { Gathered } from "../references/gather-given.ts";
import { referencesOf } from "../references/known-kind.ts";
import type { KnownKind } from "../references/known-kind.ts";
import { targetIn } from "../references/reference-index.ts";
import type { ReferenceReader } from "../references/reference-reader.ts";
import type { SecretVersions } from "../references/secret-versions.ts";

/** What references will lead to, and what of it has to be made first, as targets; or the first that leads nowhere. */
export type Foreseen =
  | { readonly given: Given; readonly awaits: readonly string[] }
  | Extract<Gathered, { readonly missing: unknown }>;

/**
 * What the references of an object will lead to: as the operator gathers it, and for what is planned with it (`coming`, as targets) and
 * not there yet, words that say so.
 */
export async function foreseeGiven(
  reader: ReferenceReader,
  versions: SecretVersions,
  kinds: readonly KnownKind[],
  kind: KnownKind,
  object: Immutable<Managed>,
  coming: ReadonlySet<string>,
): Promise<Foreseen> {
  const awaits: string[] = [];
  const found = new Map<string, { readonly value: string | undefined; readonly version: string | undefined }>();
  for (const reference of referencesOf(kind, object)) {
    const { path } = reference;
    const alone = { ...kind, references: () => [reference] };
    const gathered = await gatherGiven(reader, versions, kinds, alone, object);
    if ("given" in gathered) {
      found.set(path, { value: gathered.given.value(path), version: gathered.given.version(path) });
    } else if (reference.to === "output" && coming.has(targetIn(object, reference))) {
      awaits.push(targetIn(object, reference));
      found.set(path, {
        value: `(${reference.output} of ${reference.kind} ${reference.name}, once it is there)`,
        version: undefined,
      });
    } else return gathered;
  }
  const given: Given = { value: (path) => found.get(path)?.value, version: (path) => found.get(path)?.version };
  return { given, awaits };
}
