import type { Json, JsonObject } from "@gatewright/kube";

/** An object without what is not there: undefined, and empty lists and objects. */
export function compact(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Json] => !isNothing(entry[1])));
}

/** Texts whose order means nothing, in one order. */
export function sorted(texts: readonly string[] | undefined): Json {
  return [...new Set(texts)].toSorted();
}

/** Entries that are told apart by id, in the order of their ids. */
export function byId(entries: readonly JsonObject[]): JsonObject[] {
  const idOf = ({ id }: JsonObject): string => (typeof id === "string" ? id : "");
  return entries.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
