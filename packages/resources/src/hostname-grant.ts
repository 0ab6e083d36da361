import { ageColumn, defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { canonicalHostname } from "./hostnames/hostname.ts";

/**
 * Hostnames that routes of a namespace may use. Platform people write them in the edge namespace, for any namespace; the one called
 * `hostnames` in a team's own namespace is the operator's, and what admission looks at.
 */
export const HostnameGrant = defineResource({
  group: "gateway.opendi.com",
  version: "v1alpha1",
  kind: "HostnameGrant",
  shortNames: ["hg"],
  scope: "Namespaced",
  description: "Lets the routes of a namespace use hostnames.",
  spec: s.object({
    namespace: s.string({
      description: "Namespace whose routes may use the hostnames.",
      minLength: 1,
      maxLength: 63,
      pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    }),
    hostnames: s.array(canonicalHostname("A hostname in lower case; a wildcard in front stands for one label."), {
      description: "The hostnames.",
      minItems: 1,
      maxItems: 10_000,
      listType: "atomic",
    }),
  }),
  status: s.object({
    grantedAt: s.time({ description: "Since when routes may use them." }).optional(),
  }),
  columns: [
    { name: "Namespace", type: "string", path: ".spec.namespace", description: "Who may use them." },
    { name: "Hostnames", type: "string", path: ".spec.hostnames" },
    { name: "Granted", type: "date", path: ".status.grantedAt", priority: 1 },
    ageColumn,
  ],
  example: {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "HostnameGrant",
    metadata: { name: "shop", namespace: "default" },
    spec: { namespace: "shop", hostnames: ["shop.example.com", "*.shop.example.com"] },
  },
});

/** {@inheritDoc HostnameGrant} */
export type HostnameGrant = ObjectOf<typeof HostnameGrant>;
