import type { FieldError, GroupVersionKind, Json, JsonObject, KubeObject, ObjectType } from "@gatewright/kube";
import type { UserInfo } from "../auth/user.ts";
import type { Cluster } from "../cluster.ts";
import type { ApiRequest, ApiResponse } from "../http/api-request.ts";

/** What a strategy may look at while it prepares or judges a write. */
export interface WriteContext {
  readonly cluster: Cluster;
  readonly user: UserInfo;
  readonly namespace: string;
  /** The version of the API in which the object stands before the strategy. */
  readonly version: string;
  readonly dryRun: boolean;
  /** Wall-clock milliseconds of this request. */
  readonly now: number;
  warn(text: string): void;
}

/** A decoded request body. */
export interface Decoded {
  readonly object: KubeObject;
  /** Fields that the type does not have, as strict validation names them: `unknown field "spec.foo"`. */
  readonly problems: readonly string[];
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** How a kind is shown by `kubectl get`. */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** One cell for each definition. `now` is for ages. */
  cells(object: KubeObject, now: number): Json[];
  /** Row conditions, such as Completed for pods that have ended. */
  conditions?(object: KubeObject): JsonObject[];
}

/**
 * What sets one kind apart from another when it is written. Methods change the object that they are given; `old` is
 * frozen. Everything common to all kinds (uid, timestamps, generateName, ObjectMeta validation, finalizers, preconditions,
 * managedFields) is done by the handlers, not here.
 */
export interface Strategy {
  /** `metadata.generation` starts at 1 and the strategy's `prepareForUpdate` raises it; otherwise it is never set. */
  readonly tracksGeneration: boolean;
  /** A PUT without resourceVersion overwrites. */
  readonly allowsUnconditionalUpdate: boolean;
  /** A PUT of a missing object makes it. */
  readonly allowsCreateOnUpdate: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  readonly defaultPropagation: "Background" | "Orphan";
  /** Why a name is not valid for this kind, as texts. `prefix`: it is a generateName. */
  nameErrors(name: string, prefix: boolean): readonly string[];
  /** Clears what a client may not set, allocates what the server gives. */
  prepareForCreate(object: KubeObject, context: WriteContext): void | Promise<void>;
  prepareForUpdate(object: KubeObject, old: KubeObject, context: WriteContext): void | Promise<void>;
  validateCreate(object: KubeObject, context: WriteContext): readonly FieldError[];
  validateUpdate(object: KubeObject, old: KubeObject, context: WriteContext): readonly FieldError[];
  /** Grace seconds of a deletion, where the kind has graceful deletion; undefined deletes at once. */
  gracePeriod?(object: KubeObject, asked: number | undefined): number | undefined;
  /** Changes an object that is marked for deletion, in the same write (a Namespace becomes Terminating). */
  onDeletionMarked?(object: KubeObject): void;
  /** Whether something besides metadata.finalizers holds a deleted object (a Namespace's spec.finalizers). */
  heldBack?(object: KubeObject): boolean;
  /** Field paths (`["status"]`) that a write to the main resource leaves alone, for field ownership. */
  readonly resetFields: readonly (readonly string[])[];
  /** Field selector labels besides metadata.name and metadata.namespace. */
  readonly fieldLabels: Readonly<Record<string, (object: KubeObject) => string>>;
}

/** A view on an object that is read and written by itself. */
export type Subresource = ObjectSubresource | ScaleSubresource | ActionSubresource | ConnectSubresource;

/** `status`, `finalize`, `approval`: the same object, of which only a part can be written. */
export interface ObjectSubresource {
  readonly type: "object";
  /** What it can do, where that is not get, update and patch. */
  readonly verbs?: readonly string[];
  prepareForUpdate(object: KubeObject, old: KubeObject, context: WriteContext): void;
  validateUpdate(object: KubeObject, old: KubeObject, context: WriteContext): readonly FieldError[];
  readonly resetFields: readonly (readonly string[])[];
}

/** `scale`: an autoscaling/v1 Scale made from, and written to, a few paths of the object. */
export interface ScaleSubresource {
  readonly type: "scale";
  readonly specReplicasPath: readonly string[];
  readonly statusReplicasPath: readonly string[];
  /** The label selector in its string form, of an object. */
  selector(object: KubeObject): string;
  /** Whether a missing spec path is an error (custom resources) or means the kind's default. */
  readonly strict: boolean;
}

/** `token`, `binding`, `eviction`: a POST that does something and answers with an object of another kind. */
export interface ActionSubresource {
  readonly type: "action";
  readonly kind: GroupVersionKind;
  /** `body` is decoded and not validated; `target` is undefined when the object does not exist. */
  create(body: JsonObject, target: KubeObject | undefined, name: string, context: WriteContext): Promise<KubeObject>;
}

/** What a connection is asked to lead to. */
export interface ConnectTarget {
  readonly namespace: string;
  /** As in the URL: proxies take a scheme and a port along with it. */
  readonly name: string;
  /** What follows the subresource, with its slash; empty when nothing does. */
  readonly path: string;
}

/** `log`, `proxy`, `portforward`: the request is passed on to where pods run. */
export interface ConnectSubresource {
  readonly type: "connect";
  /** Of its options, as discovery names them. */
  readonly kind: GroupVersionKind;
  /** Discovery does not tell of one without any: it only refuses. */
  readonly verbs: readonly string[];
  readonly takesPath: boolean;
  connect(request: ApiRequest, target: ConnectTarget, user: UserInfo): Promise<ApiResponse>;
}

export interface NormalizeOptions {
  /** Leave nulls in custom objects where they may not be, for the validation to refuse: an apply means what it says. */
  readonly keepNulls?: boolean;
}

/** One version in which a resource is served. */
export interface ServedVersion {
  readonly version: string;
  readonly type: ObjectType;
  /**
   * A body as a well-formed object: undeclared fields dropped and told, types checked (StatusError 400 for built-in
   * kinds), defaults set. The body may be changed and kept.
   */
  decode(body: JsonObject): Decoded;
  /** Drops and defaults as decode does, for an object that a patch or a webhook changed. */
  normalize(object: KubeObject, options?: NormalizeOptions): KubeObject;
  readonly columns: TableColumns;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Sent with every answer about this version. */
  readonly deprecationWarning?: string;
  /** Field selector labels of this version only (CRD selectableFields). */
  readonly fieldLabels?: Readonly<Record<string, (object: KubeObject) => string>>;
  /** The published OpenAPI v3 schema where it is not derived from `type` (custom resources). */
  readonly openapi?: JsonObject;
}

/** Everything that the server knows of one resource. Replaced as a whole when a CRD changes. */
export interface Resource {
  readonly group: string;
  /** Plural, lower case, as in URLs. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Preferred first. */
  readonly versions: readonly ServedVersion[];
  readonly storageVersion: string;
  /** The store's table; two resources that share storage (core and events.k8s.io Events) name the same one. */
  readonly table: string;
  /** Verbs of the main resource: `create`, `delete`, `deletecollection`, `get`, `list`, `patch`, `update`, `watch`. */
  readonly verbs: readonly string[];
  readonly strategy: Strategy;
  /** Only for built-in kinds: strategic merge patch is understood. */
  readonly strategicMerge: boolean;
  readonly custom: boolean;
  /**
   * Brings objects to a version. Same version: the same objects (possibly defaulted anew, when the schema moved on).
   * Called for lists with all items at once, so that a webhook is asked once.
   */
  convert(objects: readonly KubeObject[], version: string): readonly KubeObject[] | Promise<readonly KubeObject[]>;
  /**
   * True when the stored bytes may be served in this version as they are; then `convert` is not called for reading.
   */
  servesStoredBytes(version: string): boolean;
  /** A request that has no storage: TokenReview, SubjectAccessReview. Answers the POST. */
  readonly review?: (body: KubeObject, context: WriteContext) => Promise<KubeObject>;
  /** Why creation is refused at the moment (a CRD that is being deleted), or undefined. */
  creationRefused?(): string | undefined;
}
