import type { ApiObject, Immutable, ObjectRef, Resource } from "@gatewright/kube";
import type { Impersonation } from "../transport/impersonation-headers.ts";
import type { TransportRequest, TransportResponse } from "../transport/transport.ts";
import type { KnownObjects } from "./known-event.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends CallOptions {
  /** The server does everything except store the result. */
  readonly dryRun?: boolean;
  /** Who owns the fields that are written. Default: the client's. */
  readonly fieldManager?: string;
  /** What happens to fields that the server does not know. Default: `Strict`, they are refused. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

export interface ApplyOptions extends WriteOptions {
  /** Take fields over from other managers instead of a conflict. Default: true, as controllers should. */
  readonly force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  readonly dryRun?: boolean;
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  readonly gracePeriodSeconds?: number;
  /** Delete only this very object, or only this version of it: otherwise 409. Give the uid whenever it is known. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface Selection {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends CallOptions, Selection {
  /** Default: the newest state. `"0"`: whatever the server has at hand, which may be old. */
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: "NotOlderThan" | "Exact";
  /** Objects a page. Default: 500. 0: all in one answer, decoded as it arrives. */
  readonly limit?: number;
  /** Objects with their metadata alone. */
  readonly metadataOnly?: boolean;
}

export interface StreamOptions extends ListOptions {
  /**
   * The state that the pages were of is gone, and the list begins anew: forget every object that was given. Without it such a list
   * rejects with 410.
   */
  readonly restart?: () => void;
}

export interface ObjectList<T> {
  readonly resourceVersion: string;
  readonly items: readonly Immutable<T>[];
}

export interface WatchOptions<T = ApiObject> extends CallOptions, Selection {
  /** Changes after this version. Without it: what exists as ADDED first. */
  readonly resourceVersion?: string;
  /** What exists as ADDED events, ended by a bookmark that has `initialEventsEnd`. */
  readonly sendInitialEvents?: boolean;
  /** After how long the server ends the watch. */
  readonly timeoutSeconds?: number;
  /** Objects with their metadata alone. */
  readonly metadataOnly?: boolean;
  /** What the caller has at a version. An event that brings it again is this very object, and costs less. */
  readonly known?: KnownObjects<T>;
}

export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: Immutable<T> }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** An object to create: its apiVersion and kind are the resource's. */
export type New<T> = { readonly [K in keyof T as K extends "apiVersion" | "kind" ? never : K]: Immutable<T[K]> } & {
  readonly apiVersion?: string;
  readonly kind?: string;
};

type Part<T> = T extends readonly (infer E)[]
  ? readonly Part<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> }
    : T;

/** The fields that the applier wants, and no others: what it leaves out and owned before is removed. */
export type Applied<T> = { readonly [K in keyof T as K extends "metadata" ? never : K]?: Part<T[K]> } & {
  readonly metadata: Part<ApiObject["metadata"]> & ObjectRef;
};

export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** The four patches, told apart by their shape so that the content type is never wrong. */
export type Patch =
  | { readonly merge: unknown }
  | { readonly strategic: unknown }
  | { readonly json: readonly JsonPatchOperation[] };

/** Writes to one part of an object (`status`, `scale`), which leave the rest alone. */
export interface SubresourceClient<T> {
  get(ref: ObjectRef, options?: CallOptions): Promise<Immutable<T>>;
  /** For subresources that are asked by creating: `token`, `eviction`, `binding`. */
  create(ref: ObjectRef, body: unknown, options?: WriteOptions): Promise<Immutable<T>>;
  update(object: Immutable<T>, options?: WriteOptions): Promise<Immutable<T>>;
  apply(desired: Applied<T>, options?: ApplyOptions): Promise<Immutable<T>>;
  patch(ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<Immutable<T>>;
}

/**
 * The objects of one kind. What it returns is frozen. A refusal by the server is a `StatusError`, no answer is a `TransportError`.
 * Reads, and writes that the server refused with 429 or 503 before doing them, are repeated as the server asks.
 */
export interface ResourceClient<T extends ApiObject> {
  /** Rejects with a 404 StatusError when there is none. */
  get(ref: ObjectRef, options?: CallOptions & { readonly resourceVersion?: string }): Promise<Immutable<T>>;
  /** Undefined when the server says that this object is not there, and for no other reason. */
  find(ref: ObjectRef, options?: CallOptions): Promise<Immutable<T> | undefined>;
  /** All objects, page by page behind the scenes; one consistent state, or it rejects. */
  list(options?: ListOptions): Promise<ObjectList<T>>;
  /** Objects as they arrive, for lists that should not be held whole. Until it resolves, what was given is not all there is. */
  stream(options: StreamOptions, each: (object: Immutable<T>) => void): Promise<{ readonly resourceVersion: string }>;
  /** Goes on until the signal aborts or the server ends it. Rejects with a StatusError for an ERROR event (410: list anew). */
  watch(options?: WatchOptions<T>): AsyncGenerator<WatchEvent<T>, void, undefined>;
  create(object: New<T>, options?: WriteOptions): Promise<Immutable<T>>;
  /** Replaces the object. With its resourceVersion inside, only if nobody wrote meanwhile: otherwise 409. */
  update(object: Immutable<T>, options?: WriteOptions): Promise<Immutable<T>>;
  /** Server-side apply. */
  apply(desired: Applied<T>, options?: ApplyOptions): Promise<Immutable<T>>;
  patch(ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<Immutable<T>>;
  /** Resolves with the object while finalizers hold it, and with undefined once it is gone. 404 rejects. */
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<Immutable<T> | undefined>;
  deleteAll(selection: Selection & DeleteOptions): Promise<void>;
  readonly status: SubresourceClient<T>;
  subresource<S = ApiObject>(name: string): SubresourceClient<S>;
}

/** What a view of a client changes. */
export interface ClientView {
  readonly fieldManager?: string;
  /** Every write is a dry run. */
  readonly dryRun?: boolean;
  readonly impersonate?: Impersonation;
}

/** A typed way to an API server. */
export interface Client {
  for<T extends ApiObject>(resource: Resource<T>): ResourceClient<T>;
  /** The same server seen with other manners; what is not given stays. */
  with(view: ClientView): Client;
  /** A request of any kind, with credentials and retries: discovery, `/version`, `/readyz`. */
  request(request: TransportRequest): Promise<TransportResponse>;
}
