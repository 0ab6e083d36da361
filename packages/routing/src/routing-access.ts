import { OBJECT_KINDS } from "@gatewright/gateway";
import { coordination, core, discovery, networking } from "@gatewright/kube/api";
import { ConnectedGateway, ReferenceGrant } from "@gatewright/resources";
import type { DeclaredAccess } from "@gatewright/runtime";
import { RESOURCES } from "./feed/feed-source.ts";
import { statusAccess } from "./status/object-statuses.ts";

/** What feed, admission and statuses read and write. `namespace`: the operator's own, in which replicas tell each other things. */
export function routingAccess(namespace: string): readonly DeclaredAccess[] {
  const scope = { namespace };
  return [
    ...OBJECT_KINDS.map((kind) => ({ for: RESOURCES[kind], access: [statusAccess(kind)] })),
    {
      for: networking.Ingress,
      access: [{ resource: networking.Ingress, verbs: ["get", "patch"], subresource: "status" }],
    },
    ...[core.Secret, core.ConfigMap, core.Service, discovery.EndpointSlice, ReferenceGrant].map((resource) => ({
      for: resource,
    })),
    {
      for: ConnectedGateway,
      scope,
      access: [{ resource: ConnectedGateway, verbs: ["create", "patch", "delete", "deletecollection"], namespace }],
    },
    {
      for: coordination.Lease,
      scope,
      access: [{ resource: coordination.Lease, verbs: ["create", "patch", "delete"], namespace }],
    },
  ];
}
