import type { ServiceName } from "@gatewright/aws";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import type { ManagedSpec, ManagedStatus } from "@gatewright/resources";
import type { Field } from "./field.ts";
import type { Given, Reference } from "./given.ts";
import type { Ground } from "./session.ts";

/** An object that stands for a resource of AWS. */
export type Managed = ApiObject & { spec: ManagedSpec; status?: ManagedStatus };

/** How a resource is, in words that all kinds share. */
export type ResourceState =
  /** It can be used, and changed. */
  | { readonly is: "ready" }
  /** AWS works on it: look again after a while. `changeable`: what is wanted may be written meanwhile. */
  | { readonly is: "busy"; readonly message: string; readonly pollMs: number; readonly changeable?: boolean }
  /** It is there and does not work; the message says why and what to do. */
  | { readonly is: "failed"; readonly message: string }
  /** It is on its way out, and nothing can be done to it any more. */
  | { readonly is: "going"; readonly message: string; readonly pollMs: number }
  /** It is no more, and AWS still tells of it: it counts as absent. The message says why it is so. */
  | { readonly is: "ended"; readonly message: string };

/** What a resource is made from. */
export interface Creation<T extends Managed> {
  readonly object: Immutable<T>;
  readonly given: Given;
  /** What the fields want, by path. */
  readonly wanted: ReadonlyMap<string, Json>;
  /** All tags, those that say whose it is among them: set with the creation itself where the service can. */
  readonly tags: Readonly<Record<string, string>>;
  /** The same for the same resource, however often it is tried; at most 64 characters. */
  readonly token: string;
}

/** What is to be other than it is. */
export interface Change<T extends Managed> {
  readonly object: Immutable<T>;
  readonly given: Given;
  /** By path: only what differs; `undefined` for what is to be taken away (a field that left the spec and whose `unset` is null). */
  readonly fields: ReadonlyMap<string, Json | undefined>;
  /** What all fields want, for calls that write several at once. */
  readonly wanted: ReadonlyMap<string, Json>;
}

/** Why something that should be done is not: a person has to do something, or time has to pass. */
export interface Obstacle {
  readonly reason: "DeletionProtected" | "NotEmpty" | "InUse" | "SnapshotImpossible" | "StopNeeded" | "NotNow";
  readonly message: string;
  /** When to ask again though nothing changed. Default: after a few minutes. */
  readonly afterMs?: number;
}

/**
 * A kind of AWS resource: its table of fields and its calls. Everything else (existence, ownership, intent before creation, drift,
 * adoption, replacement, deletion, references, outputs, status) is the engine's.
 *
 * Calls reject with `AwsCallError`; an error never means that something is absent. Each may be repeated at any time, also after a
 * crash in the middle of it. `Seen` is plain data: what was read of the resource, as compact as comparing needs.
 */
export interface AwsKind<T extends Managed, Seen> {
  readonly resource: Resource<T>;
  /** As the original operator called it, so that objects that were made with it can go. */
  readonly finalizer: string;
  readonly service: ServiceName;
  /** What the tagging API calls such resources, `sqs`, `rds:db`; undefined where it does not know them. */
  readonly tagType: string | undefined;
  /** Whether losing it loses data: it is never made anew without a person's word. */
  readonly holdsData: boolean;
  /** How often it is compared when nothing says otherwise: by what a comparison costs. */
  readonly driftMs: number;
  /**
   * For how long AWS may not know of what was just made or tagged: until then "there is no such" is not believed. Default: 30 s; less
   * where names make creation safe to repeat.
   */
  readonly lagMs?: number;
  /**
   * For how long a read may tell what was before a change: until then AWS is taken to have what was written. Only for kinds whose
   * `change` writes all that it is given, or rejects. Default: 0, reads tell what was written.
   */
  readonly settleMs?: number;
  /** What AWS knows it by when the spec says so; undefined where AWS gives an id. Unique among the objects of an account and region. */
  readonly nameOf: (spec: Immutable<T["spec"]>) => string | undefined;
  /** The id in an ARN of such a resource. */
  readonly idOf: (arn: string) => string;
  readonly fields: readonly Field<Immutable<T["spec"]>, Seen>[];
  /** Keys of tags that a field writes: they are that field's alone, whatever the default tags of the provider say. */
  readonly fieldTags?: readonly string[];
  readonly references?: (spec: Immutable<T["spec"]>) => readonly Reference[];
  /** Where the status tells the outputs that other objects may refer to: `{ arn: "queueARN" }`. They wait until it does. */
  readonly outputsInStatus?: Readonly<Record<string, keyof NonNullable<T["status"]> & string>>;

  /** Reads what the fields of the spec need, and what it needs of those that were declared before. `absent`: AWS said so. */
  readonly read: (ground: Ground, id: string, declared: ReadonlySet<string>) => Promise<Seen | "absent">;
  /**
   * Reads many in few calls; those that are absent are missing in the answer. For kinds whose describe takes lists. `declared`, by id,
   * counts for kinds with `manyByDeclared`.
   */
  readonly readMany?: (
    ground: Ground,
    ids: readonly string[],
    declared: ReadonlyMap<string, ReadonlySet<string>>,
  ) => Promise<ReadonlyMap<string, Seen>>;
  /** How many are read by one `readMany` at most. Default 100; more where it reads all there are, whoever is asked for. */
  readonly mostAtOnce?: number;
  /** Whether `readMany` reads some of a resource only where it is declared. Default: it reads all of it. */
  readonly manyByDeclared?: true;
  /** Ids of living resources that carry this tag: for kinds to which AWS gives ids. A read of the service itself, not of the tagging API. */
  readonly findTagged?: (ground: Ground, key: string, value: string) => Promise<readonly string[]>;
  /** Makes it; gives the id. Must not make two for one token or name. */
  readonly create: (ground: Ground, creation: Creation<T>) => Promise<string>;
  /**
   * Writes what differs, in the order that AWS needs. May do a part of it: what is left is found by the next read. An obstacle: what is
   * left is not done as things are, `StopNeeded` until the spec allows it, `NotNow` until AWS does. It is asked again at leisure, and
   * it is no write loop. `partly`: something was written that brings it nearer, and the rest follows as soon as AWS takes it; this is
   * no write loop either, so it must not be said for ever.
   */
  readonly change: (ground: Ground, seen: Seen, change: Change<T>) => Promise<Obstacle | "partly" | void>;
  readonly tag: (
    ground: Ground,
    seen: Seen,
    tags: { readonly set: Readonly<Record<string, string>>; readonly remove: readonly string[] },
  ) => Promise<void>;
  /** Asks AWS to delete it, by the policy and fields of the object. Called again until a read says that it is absent. */
  readonly remove: (ground: Ground, seen: Seen, object: Immutable<T>) => Promise<Obstacle | undefined>;
  /** What the policy of the object needs besides: `Stop` of an instance. Done when it gives true. Default: nothing. */
  readonly retire?: (ground: Ground, seen: Seen, object: Immutable<T>) => Promise<boolean>;

  readonly idIn: (seen: Seen) => string;
  readonly tagsOf: (seen: Seen) => Readonly<Record<string, string>>;
  readonly stateOf: (seen: Seen) => ResourceState;
  /** What the status tells besides what all kinds have. */
  readonly statusOf: (
    seen: Seen,
    ground: Pick<Ground, "account" | "region" | "partition">,
  ) => { readonly [Key in keyof NonNullable<T["status"]>]?: NonNullable<T["status"]>[Key] | undefined };
  /** What others can use: `arn`, `url`, `endpoint`. Those of `secretOutputs` only go to Secrets. */
  readonly outputsOf: (
    seen: Seen,
    ground: Pick<Ground, "account" | "region" | "partition">,
  ) => Readonly<Record<string, string>>;
  readonly secretOutputs?: ReadonlySet<string>;
}

/** A kind whose types are not known, as the engine treats all of them. */
export type AnyKind = AwsKind<Managed, unknown>;

/** The kind without its types. The engine gives a kind objects of its own resource only, and only what it has read itself. */
export function anyKind<T extends Managed, Seen>(kind: AwsKind<T, Seen>): AnyKind {
  return kind as unknown as AnyKind;
}
