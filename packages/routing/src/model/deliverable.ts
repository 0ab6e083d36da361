import type { JsonObject } from "@gatewright/kube";
import type { ObjectKind } from "@gatewright/gateway";

/** The object of the cluster that something comes from, and whose status tells of it. */
export interface SourceRef {
  readonly kind: ObjectKind | "Ingress";
  readonly namespace: string;
  readonly name: string;
}

/**
 * One thing that gateways are to have: an object of one of their six kinds, whole. An APIRoute is one, an Ingress becomes several, a
 * Service that routes lead to becomes a Backend.
 */
export interface Deliverable {
  readonly kind: ObjectKind;
  readonly namespace: string;
  /** Unique among its kind and namespace, and steady: never an index. Names of derived ones hold a colon, which no object's can. */
  readonly name: string;
  /** Hash of all that gateways see of it: equal content has the same version, on every replica and after every restart. */
  readonly version: string;
  /** As gateways take it: references are resolved, defaults are filled in. Holds secrets: never logged, never in a status. */
  readonly spec: JsonObject;
  /** RFC 3339. Of equal routes the older one wins. */
  readonly createdAt: string;
  /** Of the source: which gateways get it may depend on them. */
  readonly labels: Readonly<Record<string, string>>;
  readonly source: SourceRef;
}

/** `APIRoute shop/orders`: what a deliverable is called everywhere here. */
export type DeliverableKey = string;

export function deliverableKey({
  kind,
  namespace,
  name,
}: Pick<Deliverable, "kind" | "namespace" | "name">): DeliverableKey {
  return `${kind} ${namespace}/${name}`;
}

/** `Ingress shop/web`. */
export type SourceKey = string;

export function sourceKey({ kind, namespace, name }: SourceRef): SourceKey {
  return `${kind} ${namespace}/${name}`;
}
