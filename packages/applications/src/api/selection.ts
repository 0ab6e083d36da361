import { badRequest } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import type { Entry } from "@gatewright/store";
import { kindKey } from "./history/change-record.ts";

/** Which records a caller gets to see. */
export interface Selection {
  readonly kinds: readonly Resource[];
  /** Undefined: objects of all namespaces, and those of none. */
  readonly namespaces: readonly string[] | undefined;
}

/** The values of a parameter that may be given several times, and with commas. */
export function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return query.getAll(name).flatMap((text) =>
    text
      .split(",")
      .map((value) => value.trim())
      .filter((value) => value !== ""),
  );
}

/** The kinds that `kind=` names (undefined: it is not given), by kind, plural or either with its group, in whatever case. */
export function namedKinds<R extends Resource>(
  query: URLSearchParams,
  resources: readonly R[],
): readonly R[] | undefined {
  const names = valuesOf(query, "kind");
  if (names.length === 0) return undefined;
  return names.map((name) => {
    const found = resources.find((resource) => namesOf(resource).includes(name.toLowerCase()));
    if (found) return found;
    const known = resources.map(({ kind }) => kind).join(", ");
    throw badRequest(`the kind ${JSON.stringify(name)} is not watched here; those that are: ${known}`);
  });
}

function namesOf({ kind, plural, group }: Resource): readonly string[] {
  return [kind, plural, `${kind}.${group}`, `${plural}.${group}`].map((name) => name.toLowerCase());
}

/** Whether a record is among those that were selected. */
export function selects({ kinds, namespaces }: Selection): (entry: Entry) => boolean {
  const wanted = new Set(kinds.map(kindKey));
  const inside = namespaces && new Set(namespaces);
  return ({ labels = {} }) =>
    wanted.has(labels["kind"] ?? "") && (inside === undefined || inside.has(labels["namespace"] ?? ""));
}
