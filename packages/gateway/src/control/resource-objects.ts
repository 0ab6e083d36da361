import { operatorApi } from "@gatewright/gateway-wire";
import type { Finding, GivenObject, ObjectKind } from "../configuration/objects.ts";

const { ResourceType } = operatorApi;
type ResourceType = operatorApi.ResourceType;

const KINDS: ReadonlyMap<ResourceType, ObjectKind> = new Map([
  [ResourceType.API_ROUTE, "APIRoute"],
  [ResourceType.GRPC_ROUTE, "GRPCRoute"],
  [ResourceType.GRAPHQL_ROUTE, "GraphQLRoute"],
  [ResourceType.BACKEND, "Backend"],
  [ResourceType.GRPC_BACKEND, "GRPCBackend"],
  [ResourceType.GRAPHQL_BACKEND, "GraphQLBackend"],
]);
const TYPES: ReadonlyMap<ObjectKind, ResourceType> = new Map(Array.from(KINDS, ([type, kind]) => [kind, type]));

/** The type on the wire. */
export function typeOf(kind: ObjectKind): ResourceType {
  return TYPES.get(kind) ?? ResourceType.UNSPECIFIED;
}

/** Whose name a resource has: its namespace apart, or before a slash in its name, as operators of AVAPIGW write it. */
export function namedObject(
  resource: Pick<operatorApi.ConfigurationResource, "namespace" | "name">,
): { readonly namespace: string; readonly name: string } | undefined {
  const { namespace, name } = resource;
  if (namespace !== "") return name === "" ? undefined : { namespace, name };
  const slash = name.indexOf("/");
  if (slash === -1) return name === "" ? undefined : { namespace: "default", name };
  return { namespace: name.slice(0, slash), name: name.slice(slash + 1) };
}

/** An object from the wire, or what is wrong with it. `expected` is its kind when the place says it. */
export function objectOf(
  resource: operatorApi.ConfigurationResource,
  expected: ObjectKind | undefined = KINDS.get(resource.type),
): GivenObject | { readonly refused: string } {
  const named = namedObject(resource);
  if (expected === undefined) return { refused: `resource type ${resource.type} is not known here` };
  if (named === undefined) return { refused: `a resource of kind ${expected} has no name` };
  const label = `${expected} ${named.namespace}/${named.name}`;
  let spec: unknown;
  try {
    spec = JSON.parse(Buffer.from(resource.specJson).toString("utf8"));
  } catch {
    return { refused: `${label}: spec_json is not JSON` };
  }
  if (typeof spec !== "object" || spec === null || Array.isArray(spec))
    return { refused: `${label}: spec_json is not an object` };
  // The operator's name for it, inside its own spec: we go by the resource's.
  const { name: _, ...rest } = spec as { name?: unknown };
  const { creationTimestamp, resourceVersion } = resource;
  return {
    kind: expected,
    ...named,
    version: resourceVersion === "" ? "0" : resourceVersion,
    spec: rest,
    ...(creationTimestamp !== undefined && {
      createdAt: new Date(Number(creationTimestamp.seconds) * 1000).toISOString(),
    }),
  };
}

/** A finding as it is told in acknowledgements. */
export function wireFinding({
  kind,
  namespace,
  name,
  version,
  severity,
  field,
  message,
}: Finding): operatorApi.ResourceFinding {
  return {
    $typeName: "avapigw.operator.v1alpha1.ResourceFinding",
    type: typeOf(kind),
    namespace,
    name,
    resourceVersion: version,
    refused: severity === "error",
    field,
    message,
  };
}
