import type { ApiObject, Immutable, ObjectKey, ObjectRef, Resource } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { CacheReader, CacheScope, IndexFunction } from "../cache/informer.ts";
import type { Client } from "../client/client.ts";
import type { EventRecorder } from "../kit/event-recorder.ts";
import type { Log, Span } from "@gatewright/telemetry";
import type { Outcome } from "./outcome.ts";

/** Which changes matter. `previous` is missing for an object that appeared, `object` for one that went. */
export type Predicate<T> = (object: Immutable<T> | undefined, previous: Immutable<T> | undefined) => boolean;

/** Verbs of access rules. */
export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

/** What a controller may do to a kind, besides watching its sources. Calls that are not declared are refused before they leave. */
export interface Access {
  readonly resource: Resource;
  readonly verbs: readonly Verb[];
  /** `status`, `finalizers`, `scale`. */
  readonly subresource?: string;
  /** The only namespace in which it is needed. Default: all. The server sees to it that it stays there. */
  readonly namespace?: string;
  /** The only object that it is needed for. Default: all. `create` and `list` cannot be held to a name. */
  readonly name?: string;
}

/** A watched kind and the objects of the controller that a change of it concerns. Made by `watching`. */
export interface Watch {
  readonly resource: Resource;
  readonly scope: CacheScope;
  readonly indexes: Readonly<Record<string, IndexFunction<ApiObject>>>;
  readonly when: Predicate<ApiObject>;
  /** Called with the old and the new version, so that an object that lost its reference is looked at too. */
  readonly map: (object: Immutable<ApiObject>) => readonly ObjectRef[];
}

/**
 * Keys from elsewhere: timers, queues, other systems. Runs until the signal aborts; if it throws it is started again with backoff. A
 * source that tells of very many at once gives them {@link LOW_PRIORITY}, so that nothing else waits for them. Default: 0.
 */
export type Source = (enqueue: (ref: ObjectRef, priority?: number) => void, signal: AbortSignal) => Promise<void>;

/** What a reconcile is given. */
export interface ReconcileContext<T extends ApiObject> {
  readonly key: ObjectKey;
  readonly ref: ObjectRef;
  /** The object as the cache has it; undefined when it is not there (any more). Frozen. */
  readonly object: Immutable<T> | undefined;
  /** Cached reads of a kind that the controller watches, without waiting. Throws for a kind that it does not. */
  readonly cached: <U extends ApiObject>(resource: Resource<U>) => CacheReader<U>;
  /** Live reads, and writes: gated by the lease, held to the declared access, and seen by the cache at once. */
  readonly client: Client;
  readonly events: EventRecorder;
  /** The time for what is written, and for waiting: in simulation it is not the machine's. */
  readonly clock: Clock;
  /** Aborts when the process stops, the lease is lost or the reconcile takes too long. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly span: Span;
  /** Failures in a row before this run. */
  readonly failures: number;
}

/** A controller as data: what it watches, what it may do, and what it does for one object. */
export interface ControllerDefinition<T extends ApiObject> {
  /** Unique in the process; in metrics, logs and as the field manager of what it writes. */
  readonly name: string;
  readonly for: Resource<T>;
  readonly scope?: CacheScope;
  /** Which changes of its own objects matter. Default: all. */
  readonly when?: Predicate<T>;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** Kinds that it makes: a change leads to the controlling owner. */
  readonly owns?: readonly Resource[];
  readonly watches?: readonly Watch[];
  readonly sources?: readonly Source[];
  readonly access?: readonly Access[];
  /** What log lines and traces of a run tell of its object, beside its name. Must not throw. Default: nothing more. */
  readonly telling?: (object: Immutable<T>) => Readonly<Record<string, string>>;
  /** Objects at once. Default: 1. One object never runs twice at once. */
  readonly concurrency?: number;
  /** After how long a reconcile is aborted and counts as failed. Default: 5 minutes. */
  readonly timeoutMs?: number;
  /** How often each object is looked at though nothing changed, with jitter. Default: 10 hours. */
  readonly resyncMs?: number;
  reconcile(context: ReconcileContext<T>): Promise<Outcome>;
}
