import { object } from "./collections.ts";
import type { Described } from "./describe.ts";
import { boolean, string } from "./scalars.ts";
import type { Schema } from "./schema.ts";

const name = (description: string) => string({ description, minLength: 1, maxLength: 253 });
const namespace = (description: string) => string({ description, minLength: 1, maxLength: 63 });

/** Another object of a kind that the field's meaning gives, in the same namespace. */
export function localReference(options: Described = {}): Schema<{ name: string }, { name: string }, "always"> {
  return object({ name: name("Name of the object.") }, { mapType: "atomic", ...options });
}

/** One key of a Secret in the same namespace. */
export type SecretKey = { name: string; key: string; optional?: boolean };

/** {@inheritDoc SecretKey} */
export function secretKeyRef(options: Described = {}): Schema<SecretKey, SecretKey, "always"> {
  const fields = {
    name: name("Name of the Secret."),
    key: string({ description: "Key in its data.", minLength: 1, maxLength: 253, pattern: "^[-._a-zA-Z0-9]+$" }),
    optional: boolean({ description: "Whether the Secret or the key may be missing." }).optional(),
  };
  return object(fields, { mapType: "atomic", ...options });
}

/** An object of any kind, in any namespace. */
export type ObjectReferenceValue = {
  apiVersion?: string;
  kind: string;
  name: string;
  namespace?: string;
  uid?: string;
};

/** {@inheritDoc ObjectReferenceValue} */
export function objectReference(options: Described = {}): Schema<ObjectReferenceValue, ObjectReferenceValue, "always"> {
  const fields = {
    apiVersion: string({ description: "Group and version of the object's kind.", maxLength: 317 }).optional(),
    kind: string({ description: "Kind of the object.", minLength: 1, maxLength: 63 }),
    name: name("Name of the object."),
    namespace: namespace("Namespace of the object, if its kind has one.").optional(),
    uid: string({ description: "The one object of that name that is meant.", maxLength: 128 }).optional(),
  };
  return object(fields, { mapType: "atomic", ...options });
}
