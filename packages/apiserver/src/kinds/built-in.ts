import {
  at,
  builtinType,
  decodeBuiltin,
  deepClone,
  deepEqual,
  formatGroupResource,
  invalid,
  isObject,
  nameIsDNSSubdomain,
  settleEmpty,
} from "@gatewright/kube";
import type { BuiltinType, FieldError, FieldPath, Json, JsonObject, KubeObject } from "@gatewright/kube";
import { isStandardFinalizer } from "../resources/finalizers.ts";
import type {
  ObjectSubresource,
  Resource,
  ServedVersion,
  Strategy,
  Subresource,
  TableColumns,
  WriteContext,
} from "../resources/resource.ts";
import { STORED_VERBS } from "../resources/verbs.ts";

/** A built-in kind in few words. What is left out is what most kinds have. */
export interface BuiltIn {
  readonly group: string;
  readonly kind: string;
  /** Plural, as in URLs. */
  readonly resource: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly string[];
  readonly table?: string;
  /** Preferred first; the first is stored. */
  readonly versions: readonly [BuiltInVersion, ...BuiltInVersion[]];
  readonly strategy: StrategyParts;
  /** Brings one object to a version, where the kind has several. */
  readonly convert?: (object: KubeObject, version: string) => KubeObject;
  readonly servesStoredBytes?: boolean;
}

export interface BuiltInVersion {
  readonly version: string;
  defaults?(object: KubeObject): void;
  readonly columns: TableColumns;
  readonly subresources?: Readonly<Record<string, Subresource>>;
  readonly deprecationWarning?: string;
}

/** What sets a kind's strategy apart. */
export interface StrategyParts {
  readonly nameErrors?: Strategy["nameErrors"];
  /** Whether an update raises `metadata.generation`. Without it the kind has no generation. */
  raisesGeneration?(object: KubeObject, old: KubeObject): boolean;
  readonly allowsUnconditionalUpdate?: boolean;
  readonly allowsCreateOnUpdate?: boolean;
  readonly returnsDeletedObject?: boolean;
  readonly defaultPropagation?: Strategy["defaultPropagation"];
  /** The status of a new object. With it, writes to the main resource leave the status alone. */
  newStatus?(): JsonObject;
  prepareForCreate?(object: KubeObject, context: WriteContext): void | Promise<void>;
  prepareForUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): void | Promise<void>;
  /** What must be true of every object, new or changed. */
  validate?(object: KubeObject, context: WriteContext): readonly FieldError[];
  /** What must be true of new objects besides. */
  validateCreate?(object: KubeObject, context: WriteContext): readonly FieldError[];
  /** What must be true of a change. Comes before `validate`, which it may replace. */
  validateChange?(object: KubeObject, old: KubeObject, context: WriteContext): readonly FieldError[];
  /** Replaces `validateChange` and `validate` for updates that are judged in their own way. */
  validateUpdate?(object: KubeObject, old: KubeObject, context: WriteContext): readonly FieldError[];
  /** Says what is allowed and most likely a mistake. Called for writes without errors; `old` is undefined on creation. */
  warn?(object: KubeObject, old: KubeObject | undefined, context: WriteContext): void;
  gracePeriod?: Strategy["gracePeriod"];
  onDeletionMarked?: Strategy["onDeletionMarked"];
  heldBack?: Strategy["heldBack"];
  readonly resetFields?: Strategy["resetFields"];
  readonly fieldLabels?: Strategy["fieldLabels"];
}

/** Whether the spec of an object changed: what raises the generation of most kinds. */
export function specChanged(object: KubeObject, old: KubeObject): boolean {
  return !deepEqual(object["spec"], old["spec"]);
}

/** A field of the stored object in place of what the client sent. */
export function keepField(object: JsonObject, old: JsonObject, field: string): void {
  const kept: Json | undefined = old[field];
  if (kept === undefined) delete object[field];
  else object[field] = deepClone(kept);
}

/** The `status` subresource: everything but status and metadata stays as it is. */
export function statusSubresource(
  parts: {
    readonly keep?: readonly string[];
    prepareForUpdate?: ObjectSubresource["prepareForUpdate"];
    validateUpdate?: ObjectSubresource["validateUpdate"];
    readonly resetFields?: ObjectSubresource["resetFields"];
  } = {},
): ObjectSubresource {
  const keep = parts.keep ?? ["spec"];
  return {
    type: "object",
    prepareForUpdate(object, old, context) {
      for (const field of keep) keepField(object, old, field);
      parts.prepareForUpdate?.(object, old, context);
    },
    validateUpdate: (object, old, context) => parts.validateUpdate?.(object, old, context) ?? [],
    resetFields: parts.resetFields ?? keep.map((field) => [field]),
  };
}

/** Why the name of a finalizer is none: it has a domain, or it is one of the server's own. */
export function finalizerErrors(name: string, path: FieldPath): FieldError[] {
  if (name.includes("/") || isStandardFinalizer(name)) return [];
  return [invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
}

function metadataErrors({ metadata }: KubeObject): FieldError[] {
  return (metadata.finalizers ?? []).flatMap((name, i) => finalizerErrors(name, at("metadata.finalizers", i)));
}

function strategyOf(parts: StrategyParts, settle: (object: KubeObject, version: string) => void): Strategy {
  return {
    tracksGeneration: parts.raisesGeneration !== undefined,
    allowsUnconditionalUpdate: parts.allowsUnconditionalUpdate ?? true,
    allowsCreateOnUpdate: parts.allowsCreateOnUpdate ?? false,
    returnsDeletedObject: parts.returnsDeletedObject ?? false,
    defaultPropagation: parts.defaultPropagation ?? "Background",
    nameErrors: parts.nameErrors ?? nameIsDNSSubdomain,
    prepareForCreate(object, context) {
      settle(object, context.version);
      if (parts.newStatus) object["status"] = parts.newStatus();
      return parts.prepareForCreate?.(object, context);
    },
    async prepareForUpdate(object, old, context) {
      settle(object, context.version);
      if (parts.newStatus) keepField(object, old, "status");
      await parts.prepareForUpdate?.(object, old, context);
      if (!parts.raisesGeneration) return;
      const generation = old.metadata.generation ?? 0;
      object.metadata.generation = parts.raisesGeneration(object, old) ? generation + 1 : generation;
    },
    validateCreate(object, context) {
      const errors = [
        ...metadataErrors(object),
        ...(parts.validate?.(object, context) ?? []),
        ...(parts.validateCreate?.(object, context) ?? []),
      ];
      if (errors.length === 0) parts.warn?.(object, undefined, context);
      return errors;
    },
    validateUpdate(object, old, context) {
      const errors = [
        ...metadataErrors(object),
        ...(parts.validateUpdate?.(object, old, context) ?? [
          ...(parts.validateChange?.(object, old, context) ?? []),
          ...(parts.validate?.(object, context) ?? []),
        ]),
      ];
      if (errors.length === 0) parts.warn?.(object, old, context);
      return errors;
    },
    ...(parts.gracePeriod && { gracePeriod: parts.gracePeriod }),
    ...(parts.onDeletionMarked && { onDeletionMarked: parts.onDeletionMarked }),
    ...(parts.heldBack && { heldBack: parts.heldBack }),
    resetFields: parts.resetFields ?? (parts.newStatus ? [["status"]] : []),
    fieldLabels: parts.fieldLabels ?? {},
  };
}

function typeOf(group: string, version: string, kind: string): BuiltinType {
  const type = builtinType(group, version, kind);
  if (!type) throw new Error(`the table of built-in types has no ${group}/${version} ${kind}`);
  return type;
}

function settled(part: ObjectSubresource, type: BuiltinType): ObjectSubresource {
  return {
    ...part,
    prepareForUpdate(object, old, context) {
      settleEmpty(object, type);
      part.prepareForUpdate(object, old, context);
    },
  };
}

/** An explicit empty list is a wish that ownership is forgotten. The writer fulfils it and stores no empty list. */
function resetsManagers({ metadata }: JsonObject): boolean {
  if (!isObject(metadata)) return false;
  const { managedFields } = metadata;
  return Array.isArray(managedFields) && managedFields.length === 0;
}

function servedVersion(group: string, kind: string, described: BuiltInVersion): ServedVersion {
  const type = typeOf(group, described.version, kind);
  const subresources = Object.entries(described.subresources ?? {});
  return {
    version: described.version,
    type,
    decode(body) {
      const decoded = decodeBuiltin(body, type);
      if (resetsManagers(body)) decoded.object.metadata.managedFields = [];
      described.defaults?.(decoded.object);
      return decoded;
    },
    normalize(object) {
      const { object: decoded } = decodeBuiltin(object, type);
      described.defaults?.(decoded);
      return decoded;
    },
    columns: described.columns,
    subresources: new Map(
      subresources.map(([name, part]) => [name, part.type === "object" ? settled(part, type) : part]),
    ),
    ...(described.deprecationWarning !== undefined && { deprecationWarning: described.deprecationWarning }),
  };
}

/** The {@link Resource} of a built-in kind. */
export function builtIn(described: BuiltIn): Resource {
  const { group, kind, resource, convert } = described;
  const [stored] = described.versions;
  return {
    group,
    resource,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced: described.namespaced,
    shortNames: described.shortNames ?? [],
    categories: described.categories ?? [],
    versions: described.versions.map((version) => servedVersion(group, kind, version)),
    storageVersion: stored.version,
    table: described.table ?? formatGroupResource({ group, resource }),
    verbs: described.verbs ?? STORED_VERBS,
    strategy: strategyOf(described.strategy, (object, version) => settleEmpty(object, typeOf(group, version, kind))),
    strategicMerge: true,
    custom: false,
    convert: (objects, version) => (convert ? objects.map((object) => convert(object, version)) : objects),
    servesStoredBytes: (version) => (described.servesStoredBytes ?? true) && version === stored.version,
  };
}
