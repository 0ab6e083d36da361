import { formatValue } from "./format-value.ts";
import { CelError, CelOptional, CelUint, isList, isMap, typeNameOf } from "./value.ts";
import type { CelValue } from "./value.ts";

/** `value.field`. Selecting from an optional gives an optional. */
export function selectField(value: CelValue, field: string): CelValue {
  if (isMap(value)) {
    const found = value.get(field);
    if (found !== undefined) return found;
  } else if (value instanceof CelOptional) {
    return optionalMember(value, field);
  }
  throw new CelError(`no such key: ${field}`);
}

/** `value[key]`. Indexing an optional gives an optional. */
export function indexValue(value: CelValue, key: CelValue): CelValue {
  if (value instanceof CelOptional) return optionalMember(value, key);
  if (isMap(value)) {
    const found = value.get(key);
    if (found !== undefined) return found;
    throw new CelError(`no such key: ${formatValue(key)}`);
  }
  if (!isList(value)) throw new CelError(`no such key: ${formatValue(key)}`);
  const index = listIndex(key);
  if (index < 0 || index >= value.size) throw new CelError(`index out of bounds: ${formatValue(key)}`);
  return value.at(index);
}

/** Whether `has(value.field)`. */
export function hasField(value: CelValue, field: string): boolean {
  if (isMap(value)) return value.get(field) !== undefined;
  if (value instanceof CelOptional) return optionalMember(value, field).value !== undefined;
  throw new CelError(`no such key: ${field}`);
}

/** `value.?field` and `value[?key]`: what is there, or nothing. */
export function optionalMember(value: CelValue, key: CelValue): CelOptional {
  if (value instanceof CelOptional) return value.value === undefined ? value : optionalMember(value.value, key);
  const found = memberIfPresent(value, key);
  return found === undefined ? CelOptional.none : new CelOptional(found);
}

function memberIfPresent(value: CelValue, key: CelValue): CelValue | undefined {
  if (isMap(value)) return value.get(key);
  if (!isList(value)) throw new CelError(`no such key: ${formatValue(key)}`);
  const index = listIndex(key);
  return index < 0 || index >= value.size ? undefined : value.at(index);
}

function listIndex(key: CelValue): number {
  if (typeof key === "bigint") return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  if (typeof key === "number" && Number.isInteger(key)) return key;
  throw new CelError(`unsupported index type '${typeNameOf(key)}' in list`);
}
