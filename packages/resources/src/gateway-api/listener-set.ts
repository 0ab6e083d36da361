import { ageColumn, conditionColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { conditionsPending, pending } from "./conditions.ts";
import { gatewayApiKind } from "./gateway-api-group.ts";
import { listenerStatuses, listeners } from "./listeners.ts";
import { gatewayReference } from "./parent-reference.ts";

/** Listeners that are added to a Gateway from elsewhere, if it allows them. */
export const ListenerSet = defineResource({
  ...gatewayApiKind,
  version: "v1",
  kind: "ListenerSet",
  shortNames: ["lset"],
  scope: "Namespaced",
  description: "Listeners that are added to a Gateway from elsewhere, if it allows them.",
  spec: s.object({ parentRef: gatewayReference, listeners }),
  status: s.object(
    { conditions: conditionsPending("Accepted", "Programmed"), listeners: listenerStatuses },
    { default: { conditions: pending(["Accepted", "Programmed"]) } },
  ),
  columns: [conditionColumn("Accepted"), conditionColumn("Programmed"), ageColumn],
  example: {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "ListenerSet",
    metadata: { name: "shop" },
    spec: {
      parentRef: { name: "edge" },
      listeners: [{ name: "shop", port: 443, protocol: "HTTPS", hostname: "shop.example.com" }],
    },
  },
});

/** {@inheritDoc ListenerSet} */
export type ListenerSet = ObjectOf<typeof ListenerSet>;
