import { tableDefinition } from "./table.ts";
import type { TableField } from "./table.ts";

/** Types that are neither lists, maps nor structs, by the table's words. */
export type Word =
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "float64"
  | "bytes"
  | "quantity"
  | "int-or-string"
  | "time"
  | "micro-time"
  | "raw"
  | "json"
  | "fields"
  | "schema-or-bool"
  | "schema-or-array"
  | "schema-or-strings";

/** A type of the table, read for decoding. `go` is what the server calls it in errors. */
export type Layout =
  | { readonly kind: "word"; readonly word: Word; readonly go: string }
  | { readonly kind: "list"; readonly element: Layout; readonly go: string; readonly wrapped: boolean }
  | { readonly kind: "map"; readonly element: Layout; readonly go: string }
  | { readonly kind: "struct"; readonly name: string; readonly go: string };

export interface FieldLayout {
  readonly name: string;
  readonly layout: Layout;
  /** The step to the field as the server's errors print it: with the names of inlined structs. */
  readonly step: string;
  /** Protobuf numbers from the struct to the field: more than one through inlined messages, none without protobuf. */
  readonly numbers: readonly number[];
  /** An explicit zero is kept. */
  readonly pointer: boolean;
  /** Written when empty. */
  readonly always: boolean;
  /** A struct or time that is left out when it is empty. */
  readonly omitZero: boolean;
}

/** A struct of the table with its fields in writing order. */
export interface StructLayout {
  readonly name: string;
  /** Go's name of the struct, without its package. */
  readonly go: string;
  readonly fields: readonly FieldLayout[];
  readonly index: ReadonlyMap<string, number>;
  /** Stored as JSON and not as protobuf: an empty list stays apart from none. */
  readonly keepsEmpty: boolean;
}

const structs = new Map<string, StructLayout>();

/** The layout of a definition, made on first use. */
export function structLayout(name: string): StructLayout {
  const known = structs.get(name);
  if (known) return known;
  const definition = tableDefinition(name);
  if (!definition) throw new Error(`no built-in definition ${name}`);
  const fields = Object.entries(definition.fields).map(([field, facts]) => fieldLayout(field, facts));
  const made: StructLayout = {
    name,
    go: name.slice(name.lastIndexOf(".") + 1),
    fields,
    index: new Map(fields.map((field, at) => [field.name, at])),
    keepsEmpty: name.startsWith("apiextensions."),
  };
  structs.set(name, made);
  return made;
}

function fieldLayout(name: string, facts: TableField): FieldLayout {
  return {
    name,
    layout: readLayout(facts.t, facts.go),
    step: facts.in === undefined ? name : `${facts.in}.${name}`,
    numbers: facts.n === undefined ? [] : String(facts.n).split(".").map(Number),
    pointer: facts.p === 1,
    always: facts.a === 1,
    omitZero: facts.z === 1,
  };
}

function readLayout(expression: string, go: string | undefined): Layout {
  if (expression.startsWith("[]") || expression.startsWith("~")) {
    const wrapped = expression.startsWith("~");
    const element = readLayout(expression.slice(wrapped ? 1 : 2), go?.startsWith("[]") ? go.slice(2) : undefined);
    return { kind: "list", element, wrapped, go: go ?? `[]${element.go}` };
  }
  if (expression.startsWith("{}")) {
    const named = go === undefined ? null : /^map\[[\w.]+\](.+)$/.exec(go);
    const element = readLayout(expression.slice(2), named?.[1]);
    return { kind: "map", element, go: go ?? `map[string]${element.go}` };
  }
  if (expression.includes(".")) {
    const [version, name] = expression.split(".").slice(-2);
    return { kind: "struct", name: expression, go: `${version}.${name}` };
  }
  return { kind: "word", word: expression as Word, go: go ?? (expression === "bytes" ? "[]uint8" : expression) };
}
