import { aggregateText, deepEqual } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { struct } from "../resources/object-fields.ts";
import type { Condition } from "./conditions.ts";
import { viewCrd } from "./crd-view.ts";
import type { CrdNames } from "./crd-view.ts";

export interface NameClaim {
  /** The names that the definition holds now, as its status has them. */
  readonly accepted: JsonObject;
  readonly condition: Condition;
}

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

/**
 * Decides which of the names that a definition asks for it gets. Names that other definitions of its group hold are not
 * free; what it cannot have, it keeps as it was. Pure: same definitions, same answer.
 */
export function claimNames(crd: KubeObject, others: Iterable<KubeObject>): NameClaim {
  const { names: wanted, acceptedNames: held, group, name } = viewCrd(crd);
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    const view = viewCrd(other);
    if (view.group !== group || view.name === name) continue;
    const { acceptedNames: taken } = view;
    for (const word of [taken.plural, taken.singular, ...taken.shortNames]) resources.add(word);
    for (const word of [taken.kind, taken.listKind]) kinds.add(word);
  }
  const conflicts: { reason: string; message: string }[] = [];
  const pick = (
    field: "plural" | "singular" | "kind" | "listKind",
    taken: ReadonlySet<string>,
    reason: string,
  ): string => {
    if (wanted[field] === held[field] || !taken.has(wanted[field])) return wanted[field];
    conflicts.push({ reason, message: inUse(wanted[field]) });
    return held[field];
  };
  const plural = pick("plural", resources, "PluralConflict");
  const singular = pick("singular", resources, "SingularConflict");
  const shortNames = pickShortNames(wanted, held, resources, conflicts);
  const kind = pick("kind", kinds, "KindConflict");
  const listKind = pick("listKind", kinds, "ListKindConflict");
  const last = conflicts.at(-1);
  return {
    accepted: namesJson({ plural, singular, shortNames, kind, listKind, categories: wanted.categories }),
    condition: last
      ? { type: "NamesAccepted", status: "False", ...last }
      : { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
  };
}

function pickShortNames(
  wanted: CrdNames,
  held: CrdNames,
  taken: ReadonlySet<string>,
  conflicts: { reason: string; message: string }[],
): readonly string[] {
  const refused = wanted.shortNames.filter((name) => !held.shortNames.includes(name) && taken.has(name)).map(inUse);
  if (refused.length === 0) return wanted.shortNames;
  const message = aggregateText(refused);
  conflicts.push({ reason: "ShortNamesConflict", message });
  return held.shortNames;
}

function namesJson({ plural, singular, shortNames, kind, listKind, categories }: CrdNames): JsonObject {
  return {
    plural,
    ...(singular !== "" && { singular }),
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    kind,
    ...(listKind !== "" && { listKind }),
    ...(categories.length > 0 && { categories: [...categories] }),
  };
}

/** Whether a definition already holds every name that it asks for. */
export function holdsItsNames(crd: KubeObject): boolean {
  return deepEqual(struct(crd, "spec", "names"), struct(crd, "status", "acceptedNames"));
}
