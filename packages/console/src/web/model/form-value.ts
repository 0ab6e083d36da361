/** Where a value is in a form: names of fields and places in lists. */
export type FieldPath = readonly (string | number)[];

/** The same tree with one value changed; undefined takes it away. Nothing is ever changed in place. */
export function withValue(tree: unknown, [step, ...rest]: FieldPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list = Array.isArray(tree) ? [...(tree as readonly unknown[])] : [];
    if (rest.length === 0 && value === undefined) list.splice(step, 1);
    else list[step] = withValue(list[step], rest, value);
    return list;
  }
  const entries = new Map(Object.entries((tree ?? {}) as Readonly<Record<string, unknown>>));
  const inner = withValue(entries.get(step), rest, value);
  if (inner === undefined) entries.delete(step);
  else entries.set(step, inner);
  return Object.fromEntries(entries);
}

/** `spec.rules[0].host`: as the API server names fields in its refusals. */
export function pathText(path: FieldPath): string {
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`)).join("");
}

/** The tree without what was left empty: fields that nobody filled in are not sent. */
export function filledIn(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(filledIn).filter((item) => item !== undefined);
  if (typeof tree !== "object" || tree === null) return tree;
  const entries = Object.entries(tree)
    .map(([name, value]) => [name, filledIn(value)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** Complaints by the field that they are about. A complaint about no field of the form is under the nearest field above it. */
export function faultsByField(
  causes: readonly { readonly field?: string; readonly message?: string }[],
): ReadonlyMap<string, readonly string[]> {
  const faults = new Map<string, string[]>();
  for (const { field = "", message = "" } of causes) {
    const told = faults.get(field) ?? [];
    told.push(message);
    faults.set(field, told);
  }
  return faults;
}
