import { badRequest, compareVersions, compileJsonPath, deepClone, formatGroupVersion, quote } from "@gatewright/kube";
import type { JsonObject, KubeObject } from "@gatewright/kube";
import { MetadataError, compileSchema } from "@gatewright/kube/schema";
import type { ObjectSchema } from "@gatewright/kube/schema";
import { text } from "../resources/object-fields.ts";
import type { NormalizeOptions, ScaleSubresource, ServedVersion, Subresource } from "../resources/resource.ts";
import type { CrdVersion, CrdView } from "./crd-view.ts";
import { statusSubresource } from "./custom-status.ts";
import { printerColumns } from "./printer-columns.ts";
import { publishedSchema } from "./published-schema.ts";
import { pathSegments } from "./scale-paths.ts";

/** One version of a custom resource, served or only stored. */
export interface CustomVersion {
  readonly declared: CrdVersion;
  readonly schema: ObjectSchema;
  readonly apiVersion: string;
}

const ANYTHING: JsonObject = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
/** By the schema that each was made from: definitions come out of the store frozen, and the same while they are in use. */
const compiled = new WeakMap<JsonObject, ObjectSchema>();

/** A declared version, ready to judge objects. Without a schema it takes anything. */
export function compileVersion(view: CrdView, declared: CrdVersion): CustomVersion {
  return {
    declared,
    schema: compiledOnce(declared.schema ?? ANYTHING),
    apiVersion: formatGroupVersion({ group: view.group, version: declared.name }),
  };
}

function compiledOnce(schema: JsonObject): ObjectSchema {
  const known = compiled.get(schema) ?? compileSchema(schema);
  if (Object.isFrozen(schema)) compiled.set(schema, known);
  return known;
}

/** A copy of an object that fits the schema as it is now. Never refuses: for objects that are already stored. */
export function refit(object: KubeObject, { schema }: CustomVersion): KubeObject {
  const fitted = deepClone(object);
  schema.prune(fitted, { dropInvalid: true, quiet: true });
  schema.applyDefaults(fitted);
  return fitted;
}

/** The version as handlers serve it. */
export function servedVersion(view: CrdView, version: CustomVersion): ServedVersion {
  const { declared, schema } = version;
  const fit = (object: KubeObject, options?: NormalizeOptions): string[] => {
    try {
      const unknown = schema.prune(object, options);
      schema.applyDefaults(object);
      return unknown;
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      const { kind } = view.names;
      throw badRequest(`${kind} in version ${quote(declared.name)} cannot be handled as a ${kind}: ${error.message}`);
    }
  };
  const warning = deprecation(view, declared);
  let openapi: ReturnType<typeof publishedSchema> | undefined;
  return {
    version: declared.name,
    get type() {
      return schema.type;
    },
    decode(body) {
      const object = body as KubeObject;
      const problems = fit(object).map((path) => `unknown field "${path}"`);
      object.metadata ??= {};
      return { object, problems };
    },
    normalize(object, options) {
      fit(object, options);
      return object;
    },
    columns: printerColumns(declared.columns),
    subresources: subresources(declared, version),
    ...(warning !== undefined && { deprecationWarning: warning }),
    ...(declared.selectableFields.length > 0 && { fieldLabels: fieldLabels(declared.selectableFields) }),
    /** Written out for the first who asks: of most definitions nobody does. */
    get openapi() {
      return (openapi ??= publishedSchema(view, declared));
    },
  };
}

function subresources(declared: CrdVersion, version: CustomVersion): ReadonlyMap<string, Subresource> {
  const found = new Map<string, Subresource>();
  if (declared.status) found.set("status", statusSubresource(version));
  if (declared.scale) found.set("scale", scaleSubresource(declared.scale));
  return found;
}

function scaleSubresource(scale: NonNullable<CrdVersion["scale"]>): ScaleSubresource {
  const selectorPath = text(scale, "labelSelectorPath");
  const selector = selectorPath === "" ? undefined : compileJsonPath(selectorPath);
  return {
    type: "scale",
    specReplicasPath: pathSegments(text(scale, "specReplicasPath")),
    statusReplicasPath: pathSegments(text(scale, "statusReplicasPath")),
    selector(object) {
      const value = selector?.(object)[0];
      return typeof value === "string" ? value : "";
    },
    strict: true,
  };
}

function fieldLabels(paths: readonly string[]): Record<string, (object: KubeObject) => string> {
  return Object.fromEntries(
    paths.map((path) => {
      const find = compileJsonPath(path);
      const label = (object: KubeObject): string => {
        const value = find(object)[0];
        return value === undefined || value === null ? "" : String(value);
      };
      return [path.replace(/^\./, ""), label];
    }),
  );
}

/** What clients of a deprecated version are told: the CRD's own words, or which newer version there is. */
function deprecation(view: CrdView, declared: CrdVersion): string | undefined {
  if (!declared.deprecated) return undefined;
  if (declared.deprecationWarning !== undefined) return declared.deprecationWarning;
  const { kind } = view.names;
  const newer = view.versions
    .filter((v) => v.served && !v.deprecated && compareVersions(v.name, declared.name) < 0)
    .toSorted((a, b) => compareVersions(a.name, b.name))[0];
  const use = newer ? `; use ${view.group}/${newer.name} ${kind}` : "";
  return `${view.group}/${declared.name} ${kind} is deprecated${use}`;
}
