import type { ObjectKind } from "@gatewright/gateway";
import type { ApiObject, Immutable, JsonObject, Resource } from "@gatewright/kube";
import { APIRoute, AvapigwGRPCRoute, Backend, GRPCBackend, GraphQLBackend, GraphQLRoute } from "@gatewright/resources";
import type { CacheScope } from "@gatewright/runtime";
import type { SourceRef } from "../model/deliverable.ts";
import type { Draft } from "./draft.ts";
import type { Problem } from "./problem.ts";
import type { Surroundings } from "./surroundings.ts";

/** A kind of objects that something is delivered for. */
export interface FeedSource {
  readonly kind: SourceRef["kind"];
  readonly resource: Resource;
  readonly scope?: CacheScope;
  /** Whether an edit may change what is delivered, or which generation is told of. */
  matters(object: Immutable<ApiObject>, previous: Immutable<ApiObject>): boolean;
  /** What an object says is to be delivered. Pure: what it depends on is what it asks of its surroundings. */
  drafts(object: Immutable<ApiObject>, around: Surroundings): Drafts;
}

export interface Drafts {
  readonly drafts: readonly Draft[];
  readonly problems: readonly Problem[];
}

/** The resources of the six kinds. */
export const RESOURCES: Readonly<Record<ObjectKind, Resource>> = {
  APIRoute,
  GRPCRoute: AvapigwGRPCRoute,
  GraphQLRoute,
  Backend,
  GRPCBackend,
  GraphQLBackend,
};

/** One of the six kinds: an object is what is delivered. */
export function kindSource(kind: ObjectKind): FeedSource {
  return {
    kind,
    resource: RESOURCES[kind],
    matters: ({ metadata: now }, { metadata: before }) =>
      now.generation !== before.generation ||
      now.uid !== before.uid ||
      now.deletionTimestamp !== before.deletionTimestamp ||
      JSON.stringify(now.labels) !== JSON.stringify(before.labels),
    drafts(object) {
      const { namespace = "", name = "" } = object.metadata;
      const { spec } = object as unknown as { readonly spec: JsonObject };
      return { drafts: [{ kind, namespace, name, spec }], problems: [] };
    },
  };
}
