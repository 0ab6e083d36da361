import { ageColumn, conditionColumn, defineResource, immutable, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { webAclArn, zoneId } from "./hostnames/aws-names.ts";
import { claimStatus } from "./hostnames/claim-status.ts";
import { canonicalHostname } from "./hostnames/hostname.ts";
import {
  VISIBILITIES,
  certificate,
  deletionPolicy,
  environment,
  kinds,
  namespaces,
  recordFields,
  recordRules,
} from "./hostnames/wishes.ts";

const wish = s
  .object(
    {
      environment,
      visibility: s.string({ description: "Whether the load balancer has public addresses.", enum: VISIBILITIES }),
      gatewayClass: s.string({ description: "GatewayClass of the load balancer.", minLength: 1, maxLength: 253 }),
      namespaces: namespaces("Namespaces whose routes may use the hostname."),
      kinds,
      dns: s.object(recordFields, { description: "The records of the hostname.", rules: recordRules }).optional(),
      certificate,
      wafArn: webAclArn("Web ACL that guards the load balancer.").optional(),
      gatewaySelector: s.labelSelector({ description: "Labels that the Gateway must have." }).optional(),
      deletionPolicy: s.string(deletionPolicy),
      redirectTo: canonicalHostname("Where a permanent redirect leads, for www names.").optional(),
      moveTo: s
        .string({ description: "Gateway that the hostname is to be moved to.", minLength: 1, maxLength: 253 })
        .optional(),
    },
    { description: "What the request asks for, as it was copied." },
  )
  .optional();

/**
 * The lock on a hostname, and the memory of all that was made for it. Names of objects are unique in a cluster, so the first to create
 * the claim has it. What it locks never changes; its owner can, when a request was deleted and made anew.
 */
export const DomainClaim = defineResource({
  group: "gateway.opendi.com",
  version: "v1alpha1",
  kind: "DomainClaim",
  shortNames: ["dc"],
  scope: "Cluster",
  description: "Says which request a hostname belongs to. Made and removed by the operator; first come, first served.",
  spec: s.object({
    zoneId: zoneId("Route 53 hosted zone that the hostname is in.", [immutable()]),
    hostname: canonicalHostname("The hostname that is claimed, in lower case.", [immutable()]),
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
    wish,
  }),
  status: claimStatus,
  columns: [
    { name: "Hostname", type: "string", path: ".spec.hostname" },
    { name: "Namespace", type: "string", path: ".spec.ownerRef.namespace", description: "Whose it is." },
    { name: "Request", type: "string", path: ".spec.ownerRef.name", description: "The request that holds it." },
    { name: "Gateway", type: "string", path: ".status.gateway" },
    conditionColumn("Ready"),
    { name: "Zone", type: "string", path: ".spec.zoneId", priority: 1 },
    ageColumn,
  ],
  selectableFields: [".spec.hostname", ".spec.ownerRef.namespace"],
  example: {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "DomainClaim",
    metadata: { name: "shop.example.com" },
    spec: {
      zoneId: "Z0123456789ABC",
      hostname: "shop.example.com",
      ownerRef: { namespace: "shop", name: "shop-hostname", uid: "1e9bbd5b-6d5c-4d07-9b5c-0b8b1c1f2a3d" },
      wish: {
        visibility: "internet-facing",
        gatewayClass: "aws-alb",
        namespaces: ["shop"],
        deletionPolicy: "Delete",
      },
    },
  },
});

/** {@inheritDoc DomainClaim} */
export type DomainClaim = ObjectOf<typeof DomainClaim>;
