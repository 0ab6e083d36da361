import { deepClone, formatFieldError } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { crdOf } from "@gatewright/kube/define/manifests";
import { compileSchema } from "@gatewright/kube/schema";

/** What an API server says to objects of a kind: defaults filled in, or why not. */
export interface Admission {
  /** The object as it would be stored, or what is wrong with it. `old`: what it replaces. */
  judge<T extends object>(object: T, old?: T): { readonly admitted: T } | { readonly refused: string };
}

/** By the schema and the rules of the kind's definition. */
export function admissionOf(definition: ResourceDefinition): Admission {
  const [version] = crdOf(definition, { check: false }).spec.versions;
  const openApi = version?.schema?.openAPIV3Schema;
  if (openApi === undefined) throw new Error(`${definition.kind} has no schema`);
  const schema = compileSchema(openApi as JsonObject);
  return {
    judge(object, old) {
      const stored = deepClone(object as JsonObject);
      const unknown = schema.prune(stored);
      if (unknown.length > 0) return { refused: `unknown field ${unknown.join(", ")}` };
      schema.applyDefaults(stored);
      const errors =
        old === undefined
          ? schema.validate(stored)
          : schema.validateUpdate(stored, deepClone(old as JsonObject), () => {});
      if (errors.length > 0) return { refused: errors.map(formatFieldError).join("; ") };
      return { admitted: stored as typeof object };
    },
  };
}
