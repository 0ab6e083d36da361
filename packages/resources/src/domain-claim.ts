import { ageColumn, defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";

/** Lower-case labels below a top-level domain, with a wildcard in front if any. */
const HOSTNAME = String.raw`^(\*\.)?([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z]([-a-z0-9]{0,61}[a-z0-9])$`;

/**
 * The lock on a hostname: whose it is. Names of objects are unique in a cluster, so the first to create the claim has it. What it
 * locks never changes; its owner can, when a request was deleted and made anew.
 */
export const DomainClaim = defineResource({
  group: "gateway.opendi.com",
  version: "v1alpha1",
  kind: "DomainClaim",
  shortNames: ["dc"],
  scope: "Cluster",
  description: "Says which request a hostname belongs to. Made and removed by the operator; first come, first served.",
  spec: s.object({
    zoneId: s.string({
      description: "Route 53 hosted zone that the hostname is in.",
      minLength: 1,
      maxLength: 64,
      rules: [immutable()],
    }),
    hostname: s.string({
      description: "The hostname that is claimed, in lower case.",
      maxLength: 253,
      pattern: HOSTNAME,
      rules: [immutable()],
    }),
    ownerRef: s.object(
      {
        namespace: s.string({ description: "Namespace of the request.", minLength: 1, maxLength: 63 }),
        name: s.string({ description: "Name of the request.", minLength: 1, maxLength: 253 }),
        uid: s.string({
          description: "The one request of that name that is meant: another of the same name does not own the claim.",
          minLength: 1,
          maxLength: 128,
        }),
      },
      { description: "The GatewayHostnameRequest that holds the claim." },
    ),
  }),
  status: s.object({
    claimedAt: s.time({ description: "When the claim was made." }).optional(),
  }),
  columns: [
    { name: "Hostname", type: "string", path: ".spec.hostname" },
    { name: "Namespace", type: "string", path: ".spec.ownerRef.namespace", description: "Whose it is." },
    { name: "Request", type: "string", path: ".spec.ownerRef.name", description: "The request that holds it." },
    { name: "Zone", type: "string", path: ".spec.zoneId", priority: 1 },
    ageColumn,
  ],
  selectableFields: [".spec.hostname", ".spec.ownerRef.namespace"],
  example: {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "DomainClaim",
    metadata: { name: "z0123456789abc-shop.example.com" },
    spec: {
      zoneId: "Z0123456789ABC",
      hostname: "shop.example.com",
      ownerRef: { namespace: "shop", name: "shop-hostname", uid: "1e9bbd5b-6d5c-4d07-9b5c-0b8b1c1f2a3d" },
    },
  },
});

/** {@inheritDoc DomainClaim} */
export type DomainClaim = ObjectOf<typeof DomainClaim>;
