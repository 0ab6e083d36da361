import type { Fields } from "../../exchange/fields.ts";
import type { Around } from "../around.ts";
import { settableValue, unsettableField } from "./settable-field.ts";

/** Changes to the fields of a request or an answer, with the names of the kinds. */
export interface FieldChangesSpec {
  readonly set?: Readonly<Record<string, string>>;
  readonly add?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
}

/** Changes that were checked: names in lower case, values without anything that could end a line. */
export interface FieldChanges {
  apply(fields: Fields): void;
}

/**
 * Compiles changes; undefined when there are none. Removals come first, then what is set, then what is added, as Envoy does it: a
 * field that is both removed and added has only the added value. What must not be set is noted as an error and left out.
 */
export function fieldChanges(
  spec: FieldChangesSpec | undefined,
  field: string,
  around: Pick<Around, "note">,
): FieldChanges | undefined {
  const remove = removals(spec?.remove ?? [], `${field}.remove`, around);
  const set = entries(spec?.set ?? {}, `${field}.set`, around);
  const add = entries(spec?.add ?? {}, `${field}.add`, around);
  if (remove.length === 0 && set.length === 0 && add.length === 0) return undefined;
  return {
    apply(fields) {
      for (const name of remove) fields.remove(name);
      for (const [name, value] of set) fields.set(name, value);
      for (const [name, value] of add) fields.add(name, value);
    },
  };
}

/** Names and values of a map that can be sent, names in lower case. The others are noted as errors. */
export function entries(
  given: Readonly<Record<string, string>>,
  field: string,
  around: Pick<Around, "note">,
): (readonly [name: string, value: string])[] {
  const checked = new Map<string, string>();
  for (const [written, text] of Object.entries(given)) {
    const name = written.toLowerCase();
    const value = settableValue(text);
    const wrong =
      unsettableField(name) ??
      (value === undefined ? "has a value that cannot be sent in a header field" : undefined) ??
      (checked.has(name) ? "stands twice, in different letters" : undefined);
    if (wrong === undefined && value !== undefined) checked.set(name, value);
    else around.note({ field, message: `${JSON.stringify(written)} ${wrong}`, severity: "error" });
  }
  return [...checked];
}

function removals(given: readonly string[], field: string, around: Pick<Around, "note">): string[] {
  const names: string[] = [];
  for (const written of given) {
    const name = written.toLowerCase();
    const wrong = unsettableField(name);
    if (wrong === undefined) names.push(name);
    else around.note({ field, message: `${JSON.stringify(written)} ${wrong}`, severity: "warning" });
  }
  return names;
}
