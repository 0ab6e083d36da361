import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "../api/apiextensions-v1.ts";
import { formatFieldError } from "../field-error.ts";
import { deepClone } from "../json/clone.ts";
import { unrecognizedFormats, validateSchema } from "../schema/index.ts";
import { DefinitionError } from "./definition-error.ts";
import type { Conversion, DefinedVersion, ResourceDefinition } from "./resource-definition.ts";

export interface CrdOptions {
  /** Whether the schemas are checked. Without it a manifest costs next to nothing, and the API server alone judges it. Default: true. */
  readonly check?: boolean;
}

/**
 * The manifest that teaches an API server the kind. Pure: the same definition, the same manifest. Throws a {@link DefinitionError}
 * with all that an API server would refuse in its schemas, the cost of CEL rules included.
 */
export function crdOf(
  definition: ResourceDefinition,
  { check = true }: CrdOptions = {},
): CustomResourceDefinition & { metadata: { name: string } } {
  const { group, kind, plural, singular, shortNames, categories, annotations, namespaced, versions } = definition;
  const problems = check ? versions.flatMap(schemaProblems) : [];
  if (problems.length > 0) throw new DefinitionError(`${plural}.${group}`, problems);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
    },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
        ...(categories.length > 0 && { categories: [...categories] }),
      },
      ...conversionPart(definition.conversion),
      versions: versions.map(versionOf),
    },
  };
}

function schemaProblems({ version, schema, hasStatus }: DefinedVersion): string[] {
  const errors = validateSchema(schema, version, { status: hasStatus, unchanged: false }).map(formatFieldError);
  return [
    ...errors,
    ...unrecognizedFormats(schema).map((format) => `${version}: nothing checks the format "${format}"`),
  ];
}

function conversionPart(conversion: Conversion): Pick<CustomResourceDefinition["spec"], "conversion"> {
  if (conversion.strategy === "None") return {};
  const { service } = conversion;
  return {
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: { ...service } } },
    },
  };
}

function versionOf(version: DefinedVersion): CustomResourceDefinitionVersion {
  const { deprecated, hasStatus, scale, columns, selectableFields } = version;
  const scalePaths = scale && {
    specReplicasPath: scale.specReplicas,
    statusReplicasPath: scale.statusReplicas,
    ...(scale.labelSelector !== undefined && { labelSelectorPath: scale.labelSelector }),
  };
  return {
    name: version.version,
    served: version.served,
    storage: version.storage,
    ...(deprecated !== false && { deprecated: true }),
    ...(typeof deprecated === "string" && { deprecationWarning: deprecated }),
    ...((hasStatus || scalePaths) && {
      subresources: { ...(hasStatus && { status: {} }), ...(scalePaths && { scale: scalePaths }) },
    }),
    ...(selectableFields.length > 0 && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
    ...(columns.length > 0 && {
      additionalPrinterColumns: columns.map(({ path, ...column }) => ({ ...column, jsonPath: path })),
    }),
    schema: { openAPIV3Schema: deepClone(version.schema) },
  };
}
