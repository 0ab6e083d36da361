import type { Json } from "../json/json.ts";
import generated from "./table.json" with { type: "json" };

/**
 * The generated facts about built-in types. Definitions go by short names (`core.v1.PodSpec`); {@link definitionName} gives
 * the one that OpenAPI uses.
 */
export interface BuiltinTable {
  readonly definitions: Readonly<Record<string, TableDefinition>>;
}

export interface TableDefinition {
  /** Group, version and kind, for definitions that are objects of their own. */
  readonly gvk?: readonly string[];
  /** `x-kubernetes-map-type` of the whole type. */
  readonly map?: string;
  readonly unions?: Json;
  /** In the order in which the server writes them. */
  readonly fields: Readonly<Record<string, TableField>>;
}

export interface TableField {
  /**
   * The type: a word (`string`, `int32`, `int64`, `float64`, `bool`, `bytes`, `quantity`, `int-or-string`, `time`,
   * `micro-time`, `raw`, `json`, `fields`, `schema-or-bool`, `schema-or-array`, `schema-or-strings`), the name
   * of a definition, `[]T` for a list, `{}T` for a map, `~T` for a list that protobuf carries as a message.
   */
  readonly t: string;
  /** Protobuf field number; `2.5` is field 5 of the inlined message in field 2. Absent where protobuf has no such field. */
  readonly n?: number | string;
  /** The inlined messages that hold the field; the server's decoder names them in errors. */
  readonly in?: string;
  /** What the server's decoder calls the type in errors, where `t` does not tell. */
  readonly go?: string;
  /** Absent and empty differ: the server keeps an explicit zero value. */
  readonly p?: 1;
  /** Written even when empty. */
  readonly a?: 1;
  /** A struct that is left out when it is empty. */
  readonly z?: 1;
  readonly r?: 1;
  readonly d?: Json;
  readonly e?: readonly string[];
  /** `x-kubernetes-list-type`, `-list-map-keys`, `-map-type`, `-patch-strategy`, `-patch-merge-key`. */
  readonly l?: string;
  readonly k?: readonly string[];
  readonly m?: string;
  readonly s?: string;
  readonly mk?: string;
}

export const table = generated as unknown as BuiltinTable;

/** A definition by its short name. */
export function tableDefinition(name: string): TableDefinition | undefined {
  return Object.hasOwn(table.definitions, name) ? table.definitions[name] : undefined;
}

/** The OpenAPI name of a definition: `io.k8s.api.core.v1.PodSpec`. */
export function definitionName(short: string): string {
  if (short.startsWith("meta.")) return `io.k8s.apimachinery.pkg.apis.${short}`;
  if (short.startsWith("apiextensions.")) return `io.k8s.apiextensions-apiserver.pkg.apis.${short}`;
  return `io.k8s.api.${short}`;
}

let byKind: Map<string, string> | undefined;

/** The short name of the definition of a kind. Delete options are a kind of every group: clients send them as such. */
export function definitionOfKind(group: string, version: string, kind: string): string | undefined {
  if (kind === "DeleteOptions") return "meta.v1.DeleteOptions";
  if (byKind === undefined) {
    byKind = new Map();
    for (const [name, { gvk }] of Object.entries(table.definitions)) if (gvk) byKind.set(gvk.join("/"), name);
  }
  return byKind.get(`${group}/${version}/${kind}`);
}
