import { create, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ObjectKind } from "@gatewright/gateway";
import { operatorApi } from "@gatewright/gateway-wire";
import type { Deliverable } from "../../model/deliverable.ts";

const { ResourceType, ConfigurationResourceSchema } = operatorApi;

const TYPES: Readonly<Record<ObjectKind, operatorApi.ResourceType>> = {
  APIRoute: ResourceType.API_ROUTE,
  GRPCRoute: ResourceType.GRPC_ROUTE,
  GraphQLRoute: ResourceType.GRAPHQL_ROUTE,
  Backend: ResourceType.BACKEND,
  GRPCBackend: ResourceType.GRPC_BACKEND,
  GraphQLBackend: ResourceType.GRAPHQL_BACKEND,
};

const KINDS: ReadonlyMap<operatorApi.ResourceType, ObjectKind> = new Map(
  (Object.entries(TYPES) as [ObjectKind, operatorApi.ResourceType][]).map(([kind, type]) => [type, kind]),
);

/** The kind of a type on the wire. */
export function kindOf(type: operatorApi.ResourceType): ObjectKind | undefined {
  return KINDS.get(type);
}

/** A deliverable as a resource on the wire. */
export function resourceOf(deliverable: Deliverable): operatorApi.ConfigurationResource {
  const { kind, namespace, name, version, spec, createdAt } = deliverable;
  const created = Date.parse(createdAt);
  return create(ConfigurationResourceSchema, {
    type: TYPES[kind],
    namespace,
    name,
    resourceVersion: version,
    specJson: Buffer.from(JSON.stringify({ ...spec, name: specName(deliverable) })),
    ...(!Number.isNaN(created) && { creationTimestamp: timestampFromMs(created) }),
  });
}

/** What gateways call it inside its spec. Namespaces have no dots, so no two are called the same. */
export function specName({ namespace, name }: Pick<Deliverable, "namespace" | "name">): string {
  return `${namespace}.${name}`;
}

const encoded = new WeakMap<Deliverable, Uint8Array>();

/** A deliverable in bytes: made once, however many gateways get it. */
export function resourceBytes(deliverable: Deliverable): Uint8Array {
  let bytes = encoded.get(deliverable);
  if (bytes === undefined) {
    bytes = toBinary(ConfigurationResourceSchema, resourceOf(deliverable));
    encoded.set(deliverable, bytes);
  }
  return bytes;
}

/** Only its name in bytes: for what goes. */
export function nameBytes({ kind, namespace, name }: Pick<Deliverable, "kind" | "namespace" | "name">): Uint8Array {
  return toBinary(
    ConfigurationResourceSchema,
    create(ConfigurationResourceSchema, { type: TYPES[kind], namespace, name }),
  );
}
