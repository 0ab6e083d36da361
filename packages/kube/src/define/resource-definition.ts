import type { JsonObject } from "../json/json.ts";
import type { ApiObject, Resource } from "../resource.ts";
import type { Rule } from "./rule.ts";
import type { Flat, ReadFields, ReadOf, Schema, WrittenFields, WrittenOf } from "./schema.ts";

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  /** JSONPath into the object: `.spec.hostname`. */
  readonly path: string;
  readonly description?: string;
  /** Columns above 0 are shown with `-o wide` only. */
  readonly priority?: number;
}

/** Where `kubectl scale` and autoscalers look. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** What one version of a kind looks like. */
export interface VersionInput<Spec extends Schema, Status extends Schema> {
  readonly version: string;
  readonly spec: Spec;
  /** With it the kind has a `status` subresource. */
  readonly status?: Status;
  /** Rules over the whole object, `self.metadata.name` included. */
  readonly rules?: readonly Rule[];
  /** Default: the name and the age, as kubectl shows them by itself. */
  readonly columns?: readonly Column[];
  readonly scale?: ScalePaths;
  /** Fields that field selectors may name: `.spec.hostname`. */
  readonly selectableFields?: readonly string[];
  /** Users of the version are warned, in these words if any are given. */
  readonly deprecated?: boolean | string;
  /** Whether clients may still use it. Default: true. */
  readonly served?: boolean;
}

/** How objects get from one version to another. */
export type Conversion =
  | { readonly strategy: "None" }
  | {
      readonly strategy: "Webhook";
      readonly service: {
        readonly namespace: string;
        readonly name: string;
        readonly path?: string;
        readonly port?: number;
      };
    };

/** A version with its schema made. */
export interface DefinedVersion {
  readonly version: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean | string;
  /** The structural schema of whole objects. Frozen. */
  readonly schema: JsonObject;
  readonly hasStatus: boolean;
  readonly columns: readonly Column[];
  readonly scale: ScalePaths | undefined;
  readonly selectableFields: readonly string[];
}

/**
 * A kind of our own: a {@link Resource} that clients, caches and controllers take, with all that its manifest and its reference are
 * made from. `T` is an object as it is read, `M` as it may be written.
 */
export interface ResourceDefinition<T extends ApiObject = ApiObject, M = unknown> extends Resource<T> {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly description: string;
  /** Annotations of the manifest. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The version of this value first, which is also the one that is stored. */
  readonly versions: readonly DefinedVersion[];
  readonly conversion: Conversion;
  /** A manifest for the reference. */
  readonly example: M | undefined;
}

/** The objects of a definition, as they are read. */
export type ObjectOf<D> = D extends ResourceDefinition<infer T, unknown> ? T : never;

/** The objects of a definition, as they may be written: fields with defaults can be left out. */
export type ManifestOf<D> = D extends ResourceDefinition<ApiObject, infer M> ? M : never;

type Parts<Spec extends Schema, Status extends Schema> = [Status] extends [never]
  ? { readonly spec: Spec }
  : { readonly spec: Spec; readonly status: Schema<ReadOf<Status>, WrittenOf<Status>, "optional"> };

/** An object with this spec and status, as it is read. */
export type DefinedObject<Spec extends Schema, Status extends Schema> = Flat<
  ApiObject & ReadFields<Parts<Spec, Status>>
>;

/** An object with this spec and status, as it may be written. */
export type DefinedManifest<Spec extends Schema, Status extends Schema> = Flat<
  ApiObject & WrittenFields<Parts<Spec, Status>>
>;
