import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { TableDefinition, TableField } from "../packages/kube/src/builtin/table.ts";
import type { Json } from "../packages/kube/src/json/json.ts";
import { GoSources } from "./builtin/go-source.ts";
import { flattenFields, resolveType } from "./builtin/go-types.ts";
import type { FlatField } from "./builtin/go-types.ts";
import { goNameOf, packageName } from "./builtin/names.ts";
import { rootDefinitions, rootKinds } from "./builtin/roots.ts";
import type { Generated } from "./generate.ts";

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
}

interface Definition {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly "x-kubernetes-group-version-kind"?: readonly { group: string; version: string; kind: string }[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-unions"?: Json;
}

const file = "packages/kube/src/builtin/table.json";
const swaggerFile = "../shared/data/kubernetes-1.36.4/swagger.json";
const goVersion = "v0.36.4";

/**
 * Makes the table of built-in types: names, types, list and merge facts from Kubernetes' OpenAPI document; protobuf numbers,
 * defaults and what is written when empty from the tags of its Go types. Needs both at hand.
 */
export async function generateBuiltinTable(): Promise<Generated> {
  const swaggerPath = resolve(import.meta.dirname, "..", swaggerFile);
  if (!existsSync(swaggerPath)) return { file, skipped: `${swaggerFile} is not there` };
  const sources = new GoSources(moduleCache(), goVersion);
  const missing = sources.missing();
  if (missing.length > 0) return { file, skipped: `not in the Go module cache: ${missing.join(", ")}` };

  const swagger = JSON.parse(readFileSync(swaggerPath, "utf8")) as { definitions: Record<string, Definition> };
  const made = new Map<string, TableDefinition>();
  const waiting = roots(swagger.definitions);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (made.has(shortName(name))) continue;
    const definition = swagger.definitions[name];
    if (!definition) throw new Error(`${name} is not in ${swaggerFile}`);
    const built = buildDefinition(sources, name, definition);
    made.set(shortName(name), built.definition);
    waiting.push(...built.references);
  }
  const lines = [...made]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([n, d]) => `${JSON.stringify(n)}:${JSON.stringify(d)}`);
  return { file, text: `{"definitions":{\n${lines.join(",\n")}\n}}\n` };
}

function moduleCache(): string {
  if (process.env["GOMODCACHE"]) return process.env["GOMODCACHE"];
  try {
    return execFileSync("go", ["env", "GOMODCACHE"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return join(homedir(), "go", "pkg", "mod"); // no Go at hand: where it would keep modules
  }
}

function roots(definitions: Readonly<Record<string, Definition>>): string[] {
  const found: string[] = [];
  for (const [name, definition] of Object.entries(definitions)) {
    const gvks = definition["x-kubernetes-group-version-kind"] ?? [];
    for (const { group, version, kind } of gvks.length === 1 ? gvks : []) {
      const kinds = rootKinds[`${group}/${version}`] ?? [];
      if (kinds.includes(kind) || (kind.endsWith("List") && kinds.includes(kind.slice(0, -4)))) found.push(name);
    }
  }
  const wanted = Object.values(rootKinds).flat().length;
  const objects = found.filter((name) => !name.endsWith("List"));
  if (objects.length !== wanted) throw new Error(`${wanted} kinds wanted, ${objects.length} found`);
  const prefix = "io.k8s.apimachinery.pkg.apis.";
  return [...found, ...rootDefinitions.map((name) => prefix + name)];
}

function shortName(name: string): string {
  const go = goNameOf(name);
  const short = go && packageName(go.path)?.short;
  if (!go || short === undefined) throw new Error(`no package for ${name}`);
  return `${short}.${go.name}`;
}

function buildDefinition(
  sources: GoSources,
  name: string,
  definition: Definition,
): { definition: TableDefinition; references: string[] } {
  const go = goNameOf(name)!;
  const type = sources.package(go.path)?.types.get(go.name);
  if (!type?.fields) throw new Error(`no Go struct for ${name}`);
  const flat = flattenFields(sources, type);
  const declared = Object.keys(definition.properties ?? {});
  const unknown = declared.filter((p) => !flat.some((f) => f.name === p));
  const untold = flat.filter((f) => !declared.includes(f.name)).map((f) => f.name);
  if (unknown.length + untold.length > 0)
    throw new Error(`${name}: only in OpenAPI [${unknown}], only in Go [${untold}]`);

  const references: string[] = [];
  const fields: Record<string, TableField> = {};
  for (const field of flat) {
    const property = definition.properties![field.name]!;
    fields[field.name] = buildField(sources, field, property, definition.required?.includes(field.name) ?? false);
    const element = fields[field.name]!.t.replace(/^(?:\[\]|\{\}|~)+/, "");
    if (element.startsWith("schema-or-"))
      references.push("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
    if (element.includes(".")) references.push(longName(element));
  }
  const gvks = definition["x-kubernetes-group-version-kind"] ?? [];
  const own = gvks.length === 1 ? gvks[0] : gvks.find((gvk) => gvk.group === "" && gvk.version === "v1");
  const mapType = definition["x-kubernetes-map-type"];
  const unions = definition["x-kubernetes-unions"];
  return {
    definition: {
      ...(own && { gvk: [own.group, own.version, own.kind] }),
      ...(mapType !== undefined && { map: mapType }),
      ...(unions !== undefined && { unions }),
      fields,
    },
    references,
  };
}

function longName(short: string): string {
  if (short.startsWith("meta.")) return `io.k8s.apimachinery.pkg.apis.${short}`;
  if (short.startsWith("apiextensions.")) return `io.k8s.apiextensions-apiserver.pkg.apis.${short}`;
  return `io.k8s.api.${short}`;
}

function buildField(sources: GoSources, flat: FlatField, property: Property, required: boolean): TableField {
  const type = resolveType(sources, flat.owner, flat.field.type);
  const number = flat.number;
  const listType = property["x-kubernetes-list-type"];
  const keys = property["x-kubernetes-list-map-keys"];
  const mapType = property["x-kubernetes-map-type"];
  const strategy = property["x-kubernetes-patch-strategy"];
  const mergeKey = property["x-kubernetes-patch-merge-key"];
  return {
    t: type.t,
    ...(number !== undefined && { n: number.includes(".") ? number : Number(number) }),
    ...(flat.within.length > 0 && number !== undefined && { in: flat.within.join(".") }),
    ...(!selfDecoding.test(type.t) && type.go !== plainGoName(type.t) && { go: type.go }),
    ...(type.pointer && { p: 1 }),
    ...(!flat.options.includes("omitempty") && { a: 1 }),
    ...(flat.options.includes("omitzero") && { z: 1 }),
    ...(required && { r: 1 }),
    ...(flat.field.marker !== undefined && { d: readDefault(sources, flat) }),
    ...(type.enum && { e: type.enum }),
    ...(listType !== undefined && { l: listType }),
    ...(keys !== undefined && { k: keys }),
    ...(mapType !== undefined && { m: mapType }),
    ...(strategy !== undefined && { s: strategy }),
    ...(mergeKey !== undefined && { mk: mergeKey }),
  } satisfies TableField;
}

/** What Go would call a type if none of its parts had a name of its own. */
function plainGoName(t: string): string {
  if (t.startsWith("[]")) return `[]${plainGoName(t.slice(2))}`;
  if (t.startsWith("{}")) return `map[string]${plainGoName(t.slice(2))}`;
  if (t === "bytes") return "[]uint8";
  return t.includes(".") ? t.split(".").slice(-2).join(".") : t;
}

/** Types with a decoder of their own, whose name no error prints. */
const selfDecoding = /^(?:time|micro-time|quantity|int-or-string|raw|json|fields|schema-or-.*)$/;

function readDefault(sources: GoSources, { field, owner }: FlatField): Json {
  const reference = /^ref\((\w+)\)$/.exec(field.marker!);
  if (!reference) return JSON.parse(field.marker!) as Json;
  const constant = sources.package(owner.source.path)?.constants.get(reference[1]!);
  if (!constant) throw new Error(`${owner.name}: constant ${reference[1]} not found`);
  return sources.constant(constant);
}
