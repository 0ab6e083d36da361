import { deepFreeze } from "../json/freeze.ts";
import type { JsonObject } from "../json/json.ts";

/**
 * Whether a field is there: `always` must be written, `defaulted` may be left out and is filled in by the server, `optional` may be
 * missing when read too.
 */
export type Presence = "always" | "defaulted" | "optional";

/**
 * The schema of a value, together with the types of such values as they are read (defaults filled in) and as they may be written.
 * Immutable: methods return another schema.
 */
export interface Schema<out Read = unknown, out Written = Read, out P extends Presence = Presence> {
  /** The structural schema. Frozen. */
  readonly json: JsonObject;
  readonly presence: P;
  /** Never set: they tie the types to the value. */
  readonly read?: Read;
  readonly written?: Written;
  /** The field may be missing. With a default it is filled in all the same; its type stays optional, for those who write it. */
  optional(): Schema<Read, Written, "optional">;
  /** Null is a value of its own. Without this a null is refused, or replaced by the default. */
  nullable(): Schema<Read | null, Written | null, P>;
}

/** The fields of an object, by name. */
export type Fields = Readonly<Record<string, Schema>>;

/** The type of values as they are read. */
export type ReadOf<S> = S extends Schema<infer Read, unknown> ? Read : never;

/** The type of values as they may be written. */
export type WrittenOf<S> = S extends Schema<unknown, infer Written> ? Written : never;

/** One object type instead of an intersection: what editors show. */
export type Flat<T> = { [K in keyof T]: T[K] };

type Having<F extends Fields, P extends Presence> = {
  [K in keyof F]: F[K]["presence"] extends P ? K : never;
}[keyof F];

/** An object with these fields, as it is read. */
export type ReadFields<F extends Fields> = Flat<
  { -readonly [K in Having<F, "always" | "defaulted">]: ReadOf<F[K]> } & {
    -readonly [K in Having<F, "optional">]?: ReadOf<F[K]>;
  }
>;

/** An object with these fields, as it may be written. */
export type WrittenFields<F extends Fields> = Flat<
  { -readonly [K in Having<F, "always">]: WrittenOf<F[K]> } & {
    -readonly [K in Having<F, "defaulted" | "optional">]?: WrittenOf<F[K]>;
  }
>;

/** The presence of a field whose default has type `D`: undefined means none. */
export type PresenceWith<D> = [D] extends [undefined] ? "always" : "defaulted";

/** Makes a schema from its JSON, which belongs to it from then on. A default in it makes the field `defaulted`. */
export function schemaOf<Read, Written, P extends Presence>(json: JsonObject): Schema<Read, Written, P> {
  return schemaWith<Read, Written, P>(json, (Object.hasOwn(json, "default") ? "defaulted" : "always") as P);
}

function schemaWith<Read, Written, P extends Presence>(json: JsonObject, presence: P): Schema<Read, Written, P> {
  deepFreeze(json);
  return Object.freeze({
    json,
    presence,
    optional: () => schemaWith<Read, Written, "optional">(json, "optional"),
    nullable: () => schemaWith<Read | null, Written | null, P>({ ...json, nullable: true }, presence),
  });
}
