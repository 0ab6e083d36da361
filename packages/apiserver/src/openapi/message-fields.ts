import { isObject } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { WireWriter } from "@gatewright/kube/protobuf";

/** Writes a JSON value as the field of a number. A value of another type than the field's is left out. */
export type WriteField = (out: WireWriter, number: number, value: Json) => void;

/** The number of a field, and how it is written. */
export type Field = readonly [number: number, write: WriteField];

/** How a JSON object is a message. Keys that have no field are left out. */
export interface MessageFields {
  readonly fields?: Readonly<Record<string, Field>>;
  /** The field that has every key without a field of its own, as pairs of a name and a value. */
  readonly named?: Field;
  /** The field of vendor extensions: keys that start with `x-`. */
  readonly extensions?: number;
}

export const text: WriteField = (out, number, value) => {
  if (typeof value === "string") out.string(number, value);
};

export const truth: WriteField = (out, number, value) => {
  if (typeof value === "boolean") out.bool(number, value);
};

export const int64: WriteField = (out, number, value) => {
  if (typeof value === "number") out.int64(number, value);
};

export const double: WriteField = (out, number, value) => {
  if (typeof value === "number") out.double(number, value);
};

/** Any value, as YAML text: JSON is YAML. */
export const any: WriteField = (out, number, value) => {
  out.message(number, () => out.string(2, JSON.stringify(value)));
};

/** A list, or one value in place of a list of one. */
export function repeated(write: WriteField): WriteField {
  return (out, number, value) => {
    for (const item of Array.isArray(value) ? value : [value]) write(out, number, item);
  };
}

/** A message around the value, which is the field that `choose` says. */
export function wrapped(choose: (value: Json) => Field): WriteField {
  return (out, number, value) => {
    const [inner, write] = choose(value);
    out.message(number, () => write(out, inner, value));
  };
}

/** A message whose fields are found when it is written: messages may hold themselves. */
export function message(fields: () => MessageFields): WriteField {
  return (out, number, value) => {
    if (isObject(value)) out.message(number, () => writeFields(out, fields(), value));
  };
}

/** The fields of a message itself, without a tag: what a whole document is. */
export function writeFields(
  out: WireWriter,
  { fields = {}, named, extensions }: MessageFields,
  value: JsonObject,
): void {
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(fields, key)) {
      const [number, write] = fields[key]!;
      write(out, number, item);
    } else if (extensions !== undefined && key.startsWith("x-")) {
      writePair(out, [extensions, any], key, item);
    } else if (named) {
      writePair(out, named, key, item);
    }
  }
}

function writePair(out: WireWriter, [number, write]: Field, name: string, value: Json): void {
  out.message(number, () => {
    out.string(1, name);
    write(out, 2, value);
  });
}
