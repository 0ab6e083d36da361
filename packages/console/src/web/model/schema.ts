/** A structural schema, as far as forms need it. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-validations"?: readonly { readonly rule: string; readonly message?: string }[];
  readonly "x-kubernetes-group-version-kind"?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** What a form asks for in one field. */
export type FieldShape = "choice" | "text" | "number" | "yes-no" | "group" | "list" | "map" | "json";

export function shapeOf(schema: Schema): FieldShape {
  if (schema.enum !== undefined) return "choice";
  if (schema["x-kubernetes-int-or-string"] === true) return "text";
  switch (schema.type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "yes-no";
    case "array":
      return schema.items === undefined ? "json" : "list";
    case "object":
      if (schema.properties !== undefined) return "group";
      return typeof schema.additionalProperties === "object" ? "map" : "json";
    default:
      return "json";
  }
}

export interface NamedField {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** The fields of a group: those that must be given first, then by name. */
export function fieldsOf(schema: Schema): readonly NamedField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, inner]) => ({ name, schema: inner, required: required.has(name) }))
    .toSorted((a, b) => (a.required === b.required ? a.name.localeCompare(b.name) : a.required ? -1 : 1));
}

/** What a field that must be there begins with; undefined: nothing, it is for the user to give. */
export function firstValue(schema: Schema): unknown {
  if (shapeOf(schema) !== "group") return undefined;
  const inner = fieldsOf(schema).filter(({ required }) => required);
  return Object.fromEntries(inner.map(({ name, schema: each }) => [name, firstValue(each)]));
}

/** What the rules of a field say to people. */
export function rulesOf(schema: Schema): readonly string[] {
  return (schema["x-kubernetes-validations"] ?? []).flatMap(({ message }) => (message === undefined ? [] : [message]));
}

/** The limits of a field in words. */
export function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, format } = schema;
  const words: string[] = [];
  if (minimum !== undefined && maximum !== undefined) words.push(`from ${minimum} to ${maximum}`);
  else if (minimum !== undefined) words.push(`at least ${minimum}`);
  else if (maximum !== undefined) words.push(`at most ${maximum}`);
  if (maxLength !== undefined && maxLength < 300) words.push(`at most ${maxLength} characters`);
  if (minLength !== undefined && minLength > 1) words.push(`at least ${minLength} characters`);
  if (format === "date-time") words.push("a time such as 2030-01-31T12:00:00Z");
  return words.join(", ");
}

/** The schema of a kind in a document of OpenAPI v3; undefined when it has none. */
export function schemaOfKind(
  document: { readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> } },
  wanted: { readonly group: string; readonly version: string; readonly kind: string },
): Schema | undefined {
  return Object.values(document.components?.schemas ?? {}).find((schema) =>
    schema["x-kubernetes-group-version-kind"]?.some(
      ({ group, version, kind }) => group === wanted.group && version === wanted.version && kind === wanted.kind,
    ),
  );
}
