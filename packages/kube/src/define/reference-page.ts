import { formatYaml } from "../json/format-yaml.ts";
import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import type { DefinedVersion, ResourceDefinition } from "./resource-definition.ts";
import { ruleRows, schemaRows } from "./schema-rows.ts";

/** The reference of a kind as Markdown: its fields, rules, columns and an example. Pure. */
export function referencePage(definition: ResourceDefinition): string {
  const { kind, group, plural, shortNames, categories, namespaced, description, versions, example } = definition;
  const names = [plural, definition.singular, ...shortNames].map((name) => `\`${name}\``).join(", ");
  const facts = [
    ["Group", `\`${group}\``],
    ["Versions", versions.map(versionText).join(", ")],
    ["Scope", namespaced ? "namespaced" : "cluster"],
    ["Names for kubectl", names],
    ...(categories.length > 0 ? [["Categories", categories.map((name) => `\`${name}\``).join(", ")]] : []),
  ];
  return [
    `# ${kind}`,
    description,
    table(["", ""], facts),
    ...(example === undefined ? [] : ["## Example", `\`\`\`yaml\n${formatYaml(example as Json)}\`\`\``]),
    ...versions.flatMap((version) => versionParts(version, versions.length > 1)),
  ]
    .join("\n\n")
    .concat("\n");
}

function versionText({ version, storage, served, deprecated }: DefinedVersion): string {
  const notes = [storage && "stored", !served && "no longer served", deprecated !== false && "deprecated"].filter(
    Boolean,
  );
  return `\`${version}\`${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

function versionParts(version: DefinedVersion, named: boolean): string[] {
  const heading = (text: string): string =>
    named ? `## ${version.version}: ${text}` : `## ${text[0]!.toUpperCase()}${text.slice(1)}`;
  const { schema, columns, selectableFields } = version;
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const parts = ["spec", "status"].flatMap((part) => {
    const inner = properties[part];
    return isObject(inner) ? [heading(part), fieldTable(inner, part, required.includes(part))] : [];
  });
  const rules = ruleRows(schema, "");
  if (rules.length > 0) {
    const rows = rules.map(({ path, rule, message }) => [
      path === "" ? "the object" : `\`${path}\``,
      message,
      `\`${rule}\``,
    ]);
    parts.push(heading("rules"), table(["Field", "What users are told", "Rule (CEL)"], rows));
  }
  if (columns.length > 0) {
    const rows = columns.map(({ name, path, description = "", priority = 0 }) => [
      name,
      `\`${path}\``,
      [description, priority > 0 ? "With `-o wide`." : ""].filter((text) => text !== "").join(" "),
    ]);
    parts.push(heading("columns of kubectl get"), table(["Column", "Value", "Description"], rows));
  }
  if (selectableFields.length > 0) {
    const fields = selectableFields.map((path) => `\`${path.slice(1)}\``).join(", ");
    parts.push(heading("field selectors"), `\`kubectl get --field-selector\` knows ${fields}.`);
  }
  return parts;
}

/** The fields below a part of a schema, as a table in Markdown. */
export function fieldTable(schema: JsonObject, path: string, required: boolean): string {
  const rows = schemaRows(schema, path, required)
    .slice(1)
    .map((row) => [
      `\`${row.path}\``,
      row.type,
      row.required ? "required" : row.default === undefined ? "" : `\`${JSON.stringify(row.default)}\``,
      [row.description, sentence(row.constraints)].filter((text) => text !== "").join(" "),
    ]);
  return table(["Field", "Type", "Default", "Description"], rows);
}

function sentence(constraints: readonly string[]): string {
  const text = constraints.join("; ");
  return text === "" ? "" : `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
