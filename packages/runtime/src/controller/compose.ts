import type { ApiObject, Immutable, Resource } from "@gatewright/kube";
import type { Applied } from "../client/client.ts";
import { ownedBy } from "../kit/owned-by.ts";
import { controllerOf } from "../kit/owner-reference.ts";
import { updateStatus } from "../kit/update-status.ts";
import type { ControllerDefinition, ReconcileContext } from "./definition.ts";
import { done } from "./outcome.ts";

/** A child that is wanted: its fields, and no others. Made by {@link child}. */
export interface Child {
  readonly resource: Resource;
  readonly fields: Applied<ApiObject>;
}

/** A child of a kind. The namespace is the parent's unless given; the owner reference is added. */
export function child<C extends ApiObject>(resource: Resource<C>, fields: Applied<C>): Child {
  return { resource, fields };
}

type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : never;

/** What a parent should come to. Children that are left out are deleted; a status that is left out stays as it is. */
export interface Composition<T extends ApiObject> {
  readonly children: readonly Child[];
  readonly status?: Immutable<StatusOf<T>>;
}

/** The parent's children as the cache has them, in the order of their keys. */
export type Observed = <C extends ApiObject>(resource: Resource<C>) => readonly Immutable<C>[];

export interface ComposeOptions<T extends ApiObject> extends Pick<
  ControllerDefinition<T>,
  "name" | "for" | "scope" | "when" | "watches" | "concurrency" | "timeoutMs" | "resyncMs"
> {
  /** Kinds of children. */
  readonly children: readonly Resource[];
  /** What the parent should come to, given what there is. Pure: no clock, no calls; called again whenever one of them changes. */
  readonly compose: (parent: Immutable<T>, observed: Observed) => Composition<T>;
}

/**
 * A controller that is one pure function from a parent and its children to the children and status that should be. Wanted children
 * are applied, others are deleted, and all go with the parent by garbage collection. The access that this takes is declared.
 */
export function compose<T extends ApiObject>(options: ComposeOptions<T>): ControllerDefinition<T> {
  const { compose: decide, children, ...definition } = options;
  const owned = ownedBy(definition.for);
  return {
    ...definition,
    owns: children,
    access: [
      ...children.map((resource) => ({ resource, verbs: ["create", "patch", "delete"] as const })),
      { resource: definition.for, subresource: "status", verbs: ["patch"] },
      // Clusters that enforce who may block a deletion ask for it.
      { resource: definition.for, subresource: "finalizers", verbs: ["update"] },
    ],
    async reconcile(context) {
      const { object: parent, client, signal } = context;
      if (parent === undefined || parent.metadata.deletionTimestamp !== undefined) return done();
      const { children: wanted, status } = decide(parent, observing(context, parent));
      for (const { resource, fields } of wanted) await owned.apply(context, parent, resource, fields);
      for (const resource of children) {
        const keep = wanted.filter((one) => one.resource === resource).map((one) => one.fields.metadata);
        await owned.prune(context, parent, resource, keep);
      }
      if (status !== undefined) {
        await updateStatus(client, definition.for as Resource<T & { status?: unknown }>, parent, status as never, {
          signal,
        });
      }
      return done();
    },
  };
}

function observing<T extends ApiObject>({ cached }: ReconcileContext<T>, parent: Immutable<T>): Observed {
  const { uid, namespace } = parent.metadata;
  return (resource) =>
    cached(resource)
      .list(namespace === undefined ? {} : { namespace })
      .filter((object) => controllerOf(object)?.uid === uid);
}
