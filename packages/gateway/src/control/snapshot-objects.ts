import type { operatorApi } from "@gatewright/gateway-wire";
import type { GivenObject, ObjectKind } from "../configuration/objects.ts";
import { objectOf } from "./resource-objects.ts";

/** The objects of a snapshot, those that cannot be read left out and named. */
export function snapshotObjects(snapshot: operatorApi.ConfigurationSnapshot): {
  readonly objects: readonly GivenObject[];
  readonly refused: readonly string[];
} {
  const lists: readonly (readonly [ObjectKind, readonly operatorApi.ConfigurationResource[]])[] = [
    ["APIRoute", snapshot.apiRoutes],
    ["GRPCRoute", snapshot.grpcRoutes],
    ["GraphQLRoute", snapshot.graphqlRoutes],
    ["Backend", snapshot.backends],
    ["GRPCBackend", snapshot.grpcBackends],
    ["GraphQLBackend", snapshot.graphqlBackends],
  ];
  const objects: GivenObject[] = [];
  const refused: string[] = [];
  for (const [kind, resources] of lists) {
    for (const resource of resources) {
      const read = objectOf(resource, kind);
      if ("refused" in read) refused.push(read.refused);
      else objects.push(read);
    }
  }
  return { objects, refused };
}
