import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { isDNS1035Label, isDNS1123Subdomain } from "../names.ts";
import type { DefinedVersion, ResourceDefinition } from "./resource-definition.ts";

/** Where Kubernetes agreed to a kind in one of its groups. */
const APPROVAL = "api-approved.kubernetes.io";

/** What is wrong with a definition and can be told without compiling its schemas. */
export function definitionProblems(definition: ResourceDefinition): string[] {
  const { group, kind, plural, singular, shortNames, categories, annotations, versions } = definition;
  const names = [plural, singular, ...shortNames, ...categories, ...versions.map(({ version }) => version)];
  const problems = names.flatMap((name) => isDNS1035Label(name).map((why) => `"${name}": ${why}`));
  problems.push(...isDNS1123Subdomain(group).map((why) => `group "${group}": ${why}`));
  if (!group.includes(".")) problems.push(`group "${group}": should be a domain with at least one dot`);
  if (/\.(?:k8s|kubernetes)\.io$/.test(`.${group}`) && !Object.hasOwn(annotations, APPROVAL)) {
    problems.push(`group "${group}" belongs to Kubernetes: its kinds are annotated with ${APPROVAL}`);
  }
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind)) problems.push(`kind "${kind}": must be a word that begins with a capital`);
  const known = versions.map(({ version }) => version);
  if (new Set(known).size < known.length) problems.push("a version is defined twice");
  if (!versions[0]?.served) problems.push("the stored version must be served");
  return [...problems, ...versions.flatMap(versionProblems)];
}

function versionProblems(version: DefinedVersion): string[] {
  const { schema, columns, scale, selectableFields, hasStatus } = version;
  const paths = [
    ...columns.map(({ name, path }) => [`column ${name}`, path] as const),
    ...selectableFields.map((path) => ["selectable field", path] as const),
    ...(scale
      ? (Object.entries(scale) as [string, string][]).map(([part, path]) => [`scale ${part}`, path] as const)
      : []),
  ];
  const problems = paths
    .filter(([, path]) => !leadsSomewhere(schema, path))
    .map(([what, path]) => `${version.version}: ${what}: "${path}" leads to no field`);
  const repeated = columns.filter(({ name }, i) => columns.findIndex((column) => column.name === name) !== i);
  problems.push(...repeated.map(({ name }) => `${version.version}: two columns are called ${name}`));
  for (const part of ["spec", "status"]) {
    const type = partType(schema, part);
    if (type !== undefined && type !== "object") problems.push(`${version.version}: ${part} must be an object`);
  }
  if (scale && !hasStatus) problems.push(`${version.version}: scale needs a status`);
  return problems;
}

function partType(schema: JsonObject, part: string): Json | undefined {
  const found = below(schema, part);
  return found && (found["type"] ?? null);
}

/** Follows the plain steps of a path; what filters and indexes select is followed as an item. */
function leadsSomewhere(schema: JsonObject, path: string): boolean {
  if (!path.startsWith(".")) return false;
  if (path.startsWith(".metadata.")) return true;
  let at: JsonObject | undefined = schema;
  for (const [, name, brackets] of path.matchAll(/\.([^.[\]]+)|(\[[^\]]*\])/g)) {
    if (at["x-kubernetes-preserve-unknown-fields"] === true) return true;
    at = brackets === undefined ? below(at, name ?? "") : schemaIn(at["items"]);
    if (!at) return false;
  }
  return true;
}

function below(schema: JsonObject, name: string): JsonObject | undefined {
  const properties = schemaIn(schema["properties"]) ?? {};
  return Object.hasOwn(properties, name) ? schemaIn(properties[name]) : schemaIn(schema["additionalProperties"]);
}

const schemaIn = (value: Json | undefined): JsonObject | undefined => (isObject(value) ? value : undefined);
