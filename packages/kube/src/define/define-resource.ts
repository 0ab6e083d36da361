import { deepFreeze } from "../json/freeze.ts";
import type { JsonObject } from "../json/json.ts";
import { definitionProblems } from "./definition-problems.ts";
import { DefinitionError } from "./definition-error.ts";
import { schemaJson } from "./describe.ts";
import { pluralOf } from "./plural.ts";
import type {
  Conversion,
  DefinedManifest,
  DefinedObject,
  DefinedVersion,
  ResourceDefinition,
  VersionInput,
} from "./resource-definition.ts";
import type { Schema } from "./schema.ts";

export interface ResourceInput<Spec extends Schema, Status extends Schema> extends VersionInput<Spec, Status> {
  /** A domain of ours. Those of Kubernetes need the annotation `api-approved.kubernetes.io`, as an API server demands. */
  readonly group: string;
  readonly kind: string;
  /** Default: the kind in lower case, in the plural. */
  readonly plural?: string;
  readonly shortNames?: readonly string[];
  /** Groups of kinds that `kubectl get <category>` lists. */
  readonly categories?: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  readonly description: string;
  /** Annotations of the manifest that teaches the kind. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Other versions, which are converted to and from this one. */
  readonly versions?: readonly VersionInput<Schema, Schema>[];
  /** Default: None, which only changes the apiVersion. */
  readonly conversion?: Conversion;
  readonly example?: NoInfer<DefinedManifest<Spec, Status>>;
}

/**
 * Defines a kind: one value for its TypeScript type, client, cache, manifest, access rules and reference. Throws a
 * {@link DefinitionError} for names and paths that lead nowhere. What takes a compiler to tell (patterns, defaults, the cost of CEL
 * rules) is refused by `crdOf`, so that programs which only use the kind start fast.
 */
export function defineResource<Spec extends Schema, Status extends Schema = never>(
  input: ResourceInput<Spec, Status>,
): ResourceDefinition<DefinedObject<Spec, Status>, DefinedManifest<Spec, Status>> {
  const { group, version, kind, description, example } = input;
  const definition = {
    group,
    version,
    kind,
    plural: input.plural ?? pluralOf(kind),
    singular: kind.toLowerCase(),
    namespaced: input.scope === "Namespaced",
    shortNames: input.shortNames ?? [],
    categories: input.categories ?? [],
    description,
    annotations: input.annotations ?? {},
    versions: [
      defined(input, description, true),
      ...(input.versions ?? []).map((other) => defined(other, description, false)),
    ],
    conversion: input.conversion ?? { strategy: "None" },
    example,
  } as const satisfies ResourceDefinition<DefinedObject<Spec, Status>, DefinedManifest<Spec, Status>>;
  const problems = definitionProblems(definition);
  if (problems.length > 0) throw new DefinitionError(`${definition.plural}.${group}`, problems);
  return Object.freeze(definition);
}

function defined(input: VersionInput<Schema, Schema>, description: string, storage: boolean): DefinedVersion {
  const { spec, status, rules = [], columns = [], scale, selectableFields = [] } = input;
  const properties: JsonObject = {
    apiVersion: { description: "Group and version of the kind.", type: "string" },
    kind: { description: "Kind of the object.", type: "string" },
    metadata: { type: "object" },
    spec: spec.json,
    ...(status && { status: status.json }),
  };
  const required = spec.presence === "always" ? ["spec"] : undefined;
  return Object.freeze({
    version: input.version,
    served: input.served ?? true,
    storage,
    deprecated: input.deprecated ?? false,
    schema: deepFreeze(schemaJson(input.version, { description, rules }, { type: "object", properties, required })),
    hasStatus: status !== undefined,
    columns,
    scale,
    selectableFields,
  });
}
