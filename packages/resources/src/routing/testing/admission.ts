import { formatFieldError } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { compileSchema } from "@gatewright/kube/schema";
import type { ObjectSchema } from "@gatewright/kube/schema";

const compiled = new Map<ResourceDefinition, ObjectSchema>();

/** What a server makes of a new object: its spec with defaults, what it does not know, and what is wrong. */
export function admit(
  definition: ResourceDefinition,
  spec: JsonObject,
): { readonly spec: JsonObject; readonly unknown: readonly string[]; readonly errors: readonly string[] } {
  const schema = compiled.get(definition) ?? compileSchema(definition.versions[0]!.schema);
  compiled.set(definition, schema);
  const copy = structuredClone(spec);
  const { group, version, kind } = definition;
  const object: JsonObject = { apiVersion: `${group}/${version}`, kind, metadata: { name: "a" }, spec: copy };
  const unknown = schema.prune(object);
  schema.applyDefaults(object);
  return { spec: copy, unknown, errors: schema.validate(object).map(formatFieldError) };
}
