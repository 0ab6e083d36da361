import { badRequest } from "@gatewright/kube";
import type { ApiObject, Immutable, Json, Resource } from "@gatewright/kube";
import { explainRoutes } from "@gatewright/gateway/explain";
import type { GivenObject, ObjectKind } from "@gatewright/gateway";
import { APIRoute, AvapigwGRPCRoute, GraphQLRoute } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";
import { jsonAnswer } from "@gatewright/runtime/serving";
import type { HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { listReader } from "./read-lists.ts";

const ROUTES: readonly Resource[] = [APIRoute, AvapigwGRPCRoute, GraphQLRoute];

/**
 * Where a request would go, by the routes that the caller may read: `host`, `path`, `method`, `header` as the admin endpoint of a
 * gateway takes them, and `namespace` for one alone. Says how many routes it looked at, and which kinds it could not: a gateway may
 * have others.
 */
export async function match({ query, signal }: HttpQuestion, client: Client): Promise<HttpAnswer> {
  const namespace = query.get("namespace") || undefined;
  const reader = listReader(client, signal);
  const lists = await Promise.all(ROUTES.map((resource) => reader.list(resource, namespace)));
  const objects = lists.flatMap((items) => items.map(given));
  const told = explainRoutes(objects, query);
  if (typeof told === "string") throw badRequest(told);
  const { explanation, findings } = told;
  return jsonAnswer(200, {
    routes: objects.length,
    unread: reader.unread,
    ...explanation,
    findings,
  } as unknown as Json);
}

function given(object: Immutable<ApiObject>): GivenObject {
  const { metadata, kind } = object;
  const { namespace = "", name = "", resourceVersion = "", creationTimestamp } = metadata;
  return {
    // The list was asked for by kind.
    kind: kind as ObjectKind,
    namespace,
    name,
    version: resourceVersion,
    spec: (object as { readonly spec?: unknown }).spec,
    ...(typeof creationTimestamp === "string" && { createdAt: creationTimestamp }),
  };
}
