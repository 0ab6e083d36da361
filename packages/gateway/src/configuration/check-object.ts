import { deepClone, isObject } from "@gatewright/kube";
import type { FieldError, JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { compileSchema } from "@gatewright/kube/schema";
import type { ObjectSchema } from "@gatewright/kube/schema";
import { APIRoute, AvapigwGRPCRoute, Backend, GRPCBackend, GraphQLBackend, GraphQLRoute } from "@gatewright/resources";
import type { CheckedObject } from "./checked-object.ts";
import type { Finding, GivenObject, ObjectKind } from "./objects.ts";
import { fromOlderShapes } from "./older-shapes.ts";
import { withoutSecret } from "./without-secret.ts";

const DEFINITIONS: Readonly<Record<ObjectKind, ResourceDefinition>> = {
  APIRoute,
  GRPCRoute: AvapigwGRPCRoute,
  GraphQLRoute,
  Backend,
  GRPCBackend,
  GraphQLBackend,
};

const compiled = new Map<ObjectKind, ObjectSchema>();

/** What came of a check. Without `checked` one of the findings is an error. */
export interface Checked {
  readonly checked: CheckedObject | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Checks an object as an API server would: types, defaults, rules. What the kind does not know is dropped, with a warning. The given
 * spec is not changed. Never throws, whatever the spec is; findings never hold secrets.
 */
export function checkObject(given: GivenObject): Checked {
  const { kind, namespace, name, version, createdAt, isLocal } = given;
  const finding = (severity: Finding["severity"], field: string, message: string): Finding => ({
    kind,
    namespace,
    name,
    version,
    severity,
    field,
    message,
  });
  if (!isObject(given.spec)) {
    return { checked: undefined, findings: [finding("error", "spec", "must be an object")] };
  }
  const schema = schemaOf(kind);
  try {
    const spec = deepClone(given.spec);
    fromOlderShapes(spec);
    const object: JsonObject = { spec };
    const unknown = schema.prune(object);
    schema.applyDefaults(object);
    const errors = schema.validate(object);
    const findings = [
      ...errors.map((error) => finding("error", fieldOf(error), withoutSecret(error))),
      ...unknown.map((field) => finding("warning", field, "is not known and does nothing")),
    ];
    if (errors.length > 0) return { checked: undefined, findings };
    const more = { ...(createdAt !== undefined && { createdAt }), ...(isLocal === true && { isLocal }) };
    const checked = { kind, namespace, name, version, ...more, spec };
    return { checked: checked as unknown as CheckedObject, findings };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { checked: undefined, findings: [finding("error", "spec", "is nested too deeply")] };
  }
}

function schemaOf(kind: ObjectKind): ObjectSchema {
  let schema = compiled.get(kind);
  if (schema === undefined) {
    schema = compileSchema(DEFINITIONS[kind].versions[0]!.schema);
    compiled.set(kind, schema);
  }
  return schema;
}

function fieldOf({ field }: FieldError): string {
  return field === "<nil>" ? "spec" : field;
}
