import { OBJECT_KINDS } from "@gatewright/gateway";
import { admissionregistration, coordination, core, discovery, networking } from "@gatewright/kube/api";
import { ConnectedGateway, ReferenceGrant } from "@gatewright/resources";
import type { Access, DeclaredAccess } from "@gatewright/runtime";
import { RESOURCES } from "./feed/feed-source.ts";
import { statusAccess } from "./status/object-statuses.ts";

export interface RoutingAccessOptions {
  /** The operator's own, in which replicas tell each other things. */
  readonly namespace: string;
  /** Name of the ValidatingWebhookConfiguration that gets the operator's authority. Undefined: none does. */
  readonly webhookConfiguration: string | undefined;
  /** Namespaces of gateways whose certificates the operator makes. Default: none. */
  readonly gatewayNamespaces?: readonly string[];
}

/** What feed, admission, statuses and certificates read and write. */
export function routingAccess(options: RoutingAccessOptions): readonly DeclaredAccess[] {
  const { namespace, webhookConfiguration, gatewayNamespaces = [] } = options;
  const scope = { namespace };
  return [
    ...OBJECT_KINDS.map((kind) => ({ for: RESOURCES[kind], access: [statusAccess(kind)] })),
    {
      for: networking.Ingress,
      access: [{ resource: networking.Ingress, verbs: ["get", "patch"], subresource: "status" }],
    },
    {
      for: core.Secret,
      access: [
        // The operator's own, and those of gateways in their namespaces.
        ...[...new Set([namespace, ...gatewayNamespaces])].map((each): Access => ({
          resource: core.Secret,
          verbs: ["create", "update"],
          namespace: each,
        })),
        ...(webhookConfiguration === undefined ? [] : [injecting(webhookConfiguration)]),
      ],
    },
    ...[core.ConfigMap, core.Service, discovery.EndpointSlice, ReferenceGrant].map((resource) => ({
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

function injecting(name: string): Access {
  return { resource: admissionregistration.ValidatingWebhookConfiguration, verbs: ["get", "watch", "patch"], name };
}
