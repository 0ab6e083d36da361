import { ageColumn, conditionColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { conditionsPending, pending } from "./conditions.ts";
import { assignedAddresses, requestedAddresses } from "./gateway-addresses.ts";
import { gatewayApiKind } from "./gateway-api-group.ts";
import { gatewayInfrastructure } from "./gateway-infrastructure.ts";
import { gatewayTls } from "./gateway-tls.ts";
import { labelSelector } from "./label-selector.ts";
import { listenerStatuses, listeners } from "./listeners.ts";

const allowedListeners = s
  .object(
    {
      namespaces: s.object(
        {
          from: s.string({
            description: "Which namespaces.",
            enum: ["All", "Selector", "Same", "None"],
            default: "None",
          }),
          selector: labelSelector("Labels of the namespaces, for Selector.").optional(),
        },
        { description: "Namespaces whose ListenerSets are taken.", default: { from: "None" } },
      ),
    },
    { description: "Which ListenerSets may add listeners. Default: none." },
  )
  .optional();

const shape = {
  spec: s.object({
    gatewayClassName: s.string({ description: "Class of the Gateway.", minLength: 1, maxLength: 253 }),
    listeners,
    addresses: requestedAddresses,
    infrastructure: gatewayInfrastructure,
    allowedListeners,
    tls: gatewayTls,
  }),
  status: s.object(
    {
      addresses: assignedAddresses,
      conditions: conditionsPending("Accepted", "Programmed"),
      listeners: listenerStatuses,
      attachedListenerSets: s
        .integer({ description: "How many ListenerSets are attached.", format: "int32" })
        .optional(),
    },
    { default: { conditions: pending(["Accepted", "Programmed"]) } },
  ),
  columns: [
    { name: "Class", type: "string", path: ".spec.gatewayClassName" },
    { name: "Address", type: "string", path: ".status.addresses[*].value" },
    conditionColumn("Programmed"),
    ageColumn,
  ],
} as const;

/** Where traffic comes into the cluster: a load balancer with its listeners. */
export const Gateway = defineResource({
  ...gatewayApiKind,
  ...shape,
  version: "v1",
  kind: "Gateway",
  shortNames: ["gtw"],
  scope: "Namespaced",
  description: "Where traffic comes into the cluster: a load balancer with its listeners.",
  versions: [{ ...shape, version: "v1beta1" }],
  example: {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name: "edge" },
    spec: {
      gatewayClassName: "aws-alb",
      listeners: [
        { name: "http", port: 80, protocol: "HTTP" },
        {
          name: "https",
          port: 443,
          protocol: "HTTPS",
          hostname: "shop.example.com",
          allowedRoutes: { namespaces: { from: "All" } },
        },
      ],
    },
  },
});

/** {@inheritDoc Gateway} */
export type Gateway = ObjectOf<typeof Gateway>;
