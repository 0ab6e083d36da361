import { groupVersions } from "./group-versions.ts";
import type { GroupVersionFile } from "./group-versions.ts";
import type { ServedKind } from "./served-kinds.ts";
import type { SwaggerDefinition, SwaggerType } from "./swagger.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const extensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";
const lineWidth = 120;

/** Definitions that are not objects with fields of their own, and what stands for them. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", "JsonObject"],
  [`${meta}.FieldsV1`, "JsonObject"],
  [`${meta}.ObjectMeta`, "ObjectMeta"],
  [`${meta}.OwnerReference`, "OwnerReference"],
  [`${extensions}.JSON`, "Json"],
  [`${extensions}.JSONSchemaPropsOrArray`, "JSONSchemaProps | JSONSchemaProps[]"],
  [`${extensions}.JSONSchemaPropsOrBool`, "JSONSchemaProps | boolean"],
  [`${extensions}.JSONSchemaPropsOrStringArray`, "JSONSchemaProps | string[]"],
]);

/** Definitions of single values: their names, types and what to know of them. They are declared with the shared vocabulary. */
const scalars: ReadonlyMap<string, readonly [name: string, type: string, comment: string]> = new Map([
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", ["Quantity", "string", "An amount: `500m`, `1Gi`."]],
  [
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
    ["IntOrString", "number | string", "A port by number or name, or a count or percentage."],
  ],
  [`${meta}.MicroTime`, ["MicroTime", "string", "A moment as RFC 3339 text with six digits below the second."]],
  [`${meta}.Time`, ["Time", "string", "A moment as RFC 3339 text, to the second."]],
]);

/** Where the hand-written types that generated ones mention are declared. */
const origins: readonly (readonly [file: string, names: readonly string[]])[] = [
  ["../json/json.ts", ["Json", "JsonObject"]],
  ["../object.ts", ["ObjectMeta", "OwnerReference"]],
  ["../resource.ts", ["ApiObject", "Resource"]],
];

/** Writes the types of one group version and keeps account of what they mention. */
export class TypeWriter {
  readonly #file: GroupVersionFile;
  readonly #mentioned = new Set<string>();
  readonly #others = new Set<GroupVersionFile>();

  constructor(file: GroupVersionFile) {
    this.#file = file;
  }

  isAlias(definition: string): boolean {
    return aliases.has(definition) || scalars.has(definition);
  }

  /** Types of single values, for the file of the shared vocabulary. */
  scalars(): string[] {
    if (this.#file.package !== meta) return [];
    return [...scalars.values()].map(([name, type, comment]) => `/** ${comment} */\nexport type ${name} = ${type};`);
  }

  /** An interface with all fields; those of kinds have the three that every object has. */
  interface(name: string, definition: SwaggerDefinition): string {
    const { properties = {}, required = [] } = definition;
    const isKind = definition["x-kubernetes-group-version-kind"]?.length === 1 && properties["metadata"] !== undefined;
    const fields = Object.keys(properties)
      .filter((field) => !isKind || !["apiVersion", "kind", "metadata"].includes(field))
      .sort()
      .map((field) => {
        const key = /^[A-Za-z_$][\w$]*$/.test(field) ? field : JSON.stringify(field);
        return `  ${key}${required.includes(field) ? "" : "?"}: ${this.#type(properties[field]!)};`;
      });
    const open = `export interface ${name} ${isKind ? `extends ${this.#mention("ApiObject")} ` : ""}{`;
    return fields.length === 0 && !isKind
      ? `export type ${name} = Record<string, never>;`
      : [open, ...fields, "}"].join("\n");
  }

  /** The `Resource` value of a kind. */
  value(name: string, { group, version, kind, plural, namespaced }: ServedKind): string {
    const fields = Object.entries({ group, version, kind, plural, namespaced });
    const texts = fields.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const open = `export const ${name}: ${this.#mention("Resource")}<${name}> = {`;
    const line = `${open} ${texts.join(", ")} };`;
    return line.length <= lineWidth ? line : [open, ...texts.map((text) => `  ${text},`), "};"].join("\n");
  }

  /** The import lines for all that was mentioned so far. */
  imports(): string[] {
    const lines = origins.flatMap(([file, names]) => {
      const used = names.filter((name) => this.#mentioned.has(name));
      return used.length > 0 ? [`import type { ${used.join(", ")} } from "${file}";`] : [];
    });
    const others = [...this.#others].map(({ name, file }) => `import type * as ${name} from "./${file}";`);
    return [...lines, ...others.sort()];
  }

  #type(type: SwaggerType): string {
    if (type.$ref !== undefined) return this.#reference(type.$ref.replace("#/definitions/", ""));
    switch (type.type) {
      case "string":
      case "boolean":
        return type.type;
      case "integer":
      case "number":
        return "number";
      case "array": {
        const items = this.#type(type.items!);
        return items.includes(" ") ? `(${items})[]` : `${items}[]`;
      }
      case "object":
        return type.additionalProperties
          ? `Record<string, ${this.#type(type.additionalProperties)}>`
          : this.#mention("JsonObject");
      case undefined:
      default:
        throw new Error(`no TypeScript type for ${JSON.stringify(type)}`);
    }
  }

  #reference(definition: string): string {
    const alias = aliases.get(definition);
    if (alias !== undefined) return this.#mention(alias);
    const dot = definition.lastIndexOf(".");
    const scalar = scalars.get(definition)?.[0];
    const homePackage = scalar === undefined ? definition.slice(0, dot) : meta;
    const home = groupVersions.find((file) => file.package === homePackage);
    if (!home || home.leaveOut?.has(definition)) throw new Error(`${definition} has no file`);
    const name = scalar ?? definition.slice(dot + 1);
    if (home === this.#file) return name;
    this.#others.add(home);
    return `${home.name}.${name}`;
  }

  #mention(name: string): string {
    this.#mentioned.add(name);
    return name;
  }
}
