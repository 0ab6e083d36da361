import type { Fields } from "../../exchange/fields.ts";

/** The request fields that an answer depends on, in lower case and sorted; `*` when it depends on everything. */
export function varyOf(fields: Fields): readonly string[] | "*" {
  const names = new Set<string>();
  for (const value of fields.all("vary"))
    for (const name of value.split(",")) {
      const trimmed = name.trim().toLowerCase();
      if (trimmed === "*") return "*";
      if (trimmed !== "") names.add(trimmed);
    }
  return [...names].sort();
}

/** Says that an answer depends on this field of its request, once. */
export function addVary(fields: Fields, name: string): void {
  const known = varyOf(fields);
  if (known === "*" || known.includes(name)) return;
  const values = fields.all("vary");
  fields.set("vary", values.length === 0 ? name : `${values.join(", ")}, ${name}`);
}
