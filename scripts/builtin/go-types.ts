import type { GoField, GoSources, GoType } from "./go-source.ts";
import { packageName } from "./names.ts";

/** A Go type in the table's terms. */
export interface Resolved {
  /** The table's type expression. */
  readonly t: string;
  /** Go's own name of the type, as its decoder prints it. */
  readonly go: string;
  readonly pointer: boolean;
  readonly enum?: readonly string[];
}

const words: Readonly<Record<string, string>> = {
  "k8s.io/apimachinery/pkg/apis/meta/v1.Time": "time",
  "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime": "micro-time",
  "k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1": "fields",
  "k8s.io/apimachinery/pkg/api/resource.Quantity": "quantity",
  "k8s.io/apimachinery/pkg/util/intstr.IntOrString": "int-or-string",
  "k8s.io/apimachinery/pkg/runtime.RawExtension": "raw",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "json",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool": "schema-or-bool",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray": "schema-or-array",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "schema-or-strings",
};

const basic = new Set(["string", "bool", "int32", "int64", "float64"]);

/** Reads a type expression that stands in the file of `owner`. */
export function resolveType(sources: GoSources, owner: GoType, expression: string): Resolved {
  if (expression.startsWith("*")) return { ...resolveType(sources, owner, expression.slice(1)), pointer: true };
  if (expression === "[]byte") return { t: "bytes", go: "[]uint8", pointer: false };
  if (expression.startsWith("[]")) {
    const element = resolveType(sources, owner, expression.slice(2));
    return { ...element, t: `[]${element.t}`, go: `[]${element.go}`, pointer: false };
  }
  const map = /^map\[([\w.]+)\](.+)$/.exec(expression);
  if (map) {
    const key = resolveType(sources, owner, map[1]!);
    const value = resolveType(sources, owner, map[2]!);
    return { ...value, t: `{}${value.t}`, go: `map[${key.go}]${value.go}`, pointer: false };
  }
  if (basic.has(expression)) return { t: expression, go: expression, pointer: false };
  const dot = expression.indexOf(".");
  const path = dot < 0 ? owner.source.path : owner.file.imports.get(expression.slice(0, dot));
  if (path === undefined) throw new Error(`${owner.source.path}: import of ${expression} not found`);
  return resolveName(sources, path, expression.slice(dot + 1));
}

function resolveName(sources: GoSources, path: string, name: string): Resolved {
  const go = `${path.slice(path.lastIndexOf("/") + 1)}.${name}`;
  const word = words[`${path}.${name}`];
  if (word !== undefined) return { t: word, go, pointer: false };
  const declared = sources.package(path)?.types.get(name);
  if (!declared) throw new Error(`type ${path}.${name} not found`);
  if (declared.fields) {
    const short = packageName(path)?.short;
    if (short === undefined) throw new Error(`${path} is not an API package`);
    return { t: `${short}.${name}`, go, pointer: false };
  }
  const under = resolveType(sources, declared, declared.underlying);
  const values = declared.enumerated ? constantsOf(sources, declared) : undefined;
  return {
    t: declared.wrapped ? under.t.replace(/^\[\]/, "~") : under.t,
    go,
    pointer: false,
    ...(values && { enum: values }),
  };
}

function constantsOf(sources: GoSources, type: GoType): string[] {
  const own = [...type.source.constants.values()].filter((constant) => constant.type === type.name);
  return own.map((constant) => sources.constant(constant)).sort();
}

/** A field of a struct as JSON has it, with the protobuf path that leads to it. */
export interface FlatField {
  readonly name: string;
  readonly field: GoField;
  readonly owner: GoType;
  readonly options: readonly string[];
  readonly number: string | undefined;
  /** Names of the embedded structs that hold it, outermost first. */
  readonly within: readonly string[];
}

/**
 * The JSON fields of a struct in writing order, those of embedded structs in place. `prefix` is the protobuf path of the
 * struct itself; null where protobuf leaves it out, as it does type metadata.
 */
export function flattenFields(
  sources: GoSources,
  type: GoType,
  prefix: string | null = "",
  within: readonly string[] = [],
): FlatField[] {
  return (type.fields ?? []).flatMap((field): FlatField[] => {
    const json = field.tag("json");
    if (json === undefined || json === "-") return [];
    const [name, ...options] = json.split(",");
    const digits = field.tag("protobuf")?.split(",")[1];
    const number = digits === undefined || prefix === null ? undefined : prefix + digits;
    if (name !== "") return [{ name: name!, field, owner: type, options, number, within }];
    const dot = field.type.indexOf(".");
    const path = dot < 0 ? type.source.path : type.file.imports.get(field.type.slice(0, dot));
    const embedded = sources.package(path ?? "")?.types.get(field.type.slice(dot + 1));
    if (!embedded) throw new Error(`${type.name}: embedded ${field.type} not found`);
    return flattenFields(sources, embedded, number === undefined ? null : `${number}.`, [...within, embedded.name]);
  });
}
