/** What `cache-control` says: directives by their lower-case name, those without a value as the empty string. The first one counts. */
export type Directives = ReadonlyMap<string, string>;

const NONE: Directives = new Map();

/** Reads all fields of a `cache-control`. Quoted values may hold commas. */
export function directives(values: readonly string[]): Directives {
  if (values.length === 0) return NONE;
  const found = new Map<string, string>();
  for (const [, name = "", , quoted, plain] of values
    .join(",")
    .matchAll(/([^\s,;="]+)\s*(=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted ?? plain ?? "");
  }
  return found;
}

/** A directive in whole seconds; undefined when it is not there, 0 when it makes no sense: what cannot be read is not fresh. */
export function seconds(given: Directives, name: string): number | undefined {
  const value = given.get(name);
  if (value === undefined) return undefined;
  return /^\d{1,10}$/.test(value) ? Number(value) : 0;
}
