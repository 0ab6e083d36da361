import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import {
  ageColumn,
  attributes,
  configurationStatus,
  deprecation,
  GATEWAY_AWS_GROUP,
  tags,
} from "./gateway-aws-group.ts";
import { listenerConfigurations } from "./listener-configurations.ts";

const text = (description: string) => s.string({ description }).optional();
const flag = (description: string) => s.boolean({ description }).optional();
const texts = (description: string) => s.array(s.string(), { description }).optional();

const subnet = s.object({
  identifier: text("Subnet, by id or name."),
  eipAllocation: text("Elastic IP address to use there."),
  privateIPv4Allocation: text("Private IPv4 address to use there."),
  ipv6Allocation: text("IPv6 address to use there."),
  sourceNatIPv6Prefix: text("IPv6 prefix for source NAT."),
});

const shape = {
  spec: s
    .object({
      mergingMode: s
        .string({
          description: "Whose settings win, in a class's configuration.",
          enum: ["prefer-gateway", "prefer-gateway-class"],
        })
        .optional(),
      loadBalancerName: s.string({ description: "Name in AWS.", minLength: 1, maxLength: 32 }).optional(),
      scheme: s
        .string({ description: "Who can reach it. Default: internal.", enum: ["internal", "internet-facing"] })
        .optional(),
      ipAddressType: s
        .string({ description: "Families of addresses.", enum: ["ipv4", "dualstack", "dualstack-without-public-ipv4"] })
        .optional(),
      enforceSecurityGroupInboundRulesOnPrivateLinkTraffic: text("Whether PrivateLink traffic is filtered: on or off."),
      customerOwnedIpv4Pool: text("Pool of addresses on an Outpost."),
      ipv4IPAMPoolId: text("IPAM pool for public IPv4 addresses."),
      loadBalancerSubnets: s.array(subnet, { description: "Subnets to use." }).optional(),
      loadBalancerSubnetsSelector: s
        .map(s.array(s.string()), { description: "Tags of subnets to use, with the values that are allowed." })
        .optional(),
      listenerConfigurations,
      securityGroups: texts("Security groups, by id or name."),
      disableSecurityGroup: flag("Whether there is no security group (network load balancers)."),
      securityGroupPrefixes: texts("Managed prefix lists that may connect."),
      sourceRanges: texts("Address ranges that may connect."),
      manageBackendSecurityGroupRules: flag("Whether rules of the targets' security groups are managed."),
      enableICMP: flag("Whether ICMP is let in, for path MTU discovery."),
      loadBalancerAttributes: attributes("Attributes of the load balancer."),
      minimumLoadBalancerCapacity: s
        .object(
          { capacityUnits: s.integer({ description: "Units of capacity.", format: "int32" }) },
          { description: "Capacity that is reserved." },
        )
        .optional(),
      wafV2: s
        .object({ webACL: s.string({ description: "ARN of the web ACL." }) }, { description: "Web firewall." })
        .optional(),
      shieldConfiguration: s
        .object({ enabled: flag("Whether it is on.") }, { description: "Shield Advanced." })
        .optional(),
      defaultTargetGroupConfiguration: s
        .object(
          { name: s.string({ description: "Name of the TargetGroupConfiguration, in the same namespace." }) },
          { description: "Settings of target groups whose Services have none of their own." },
        )
        .optional(),
      tags,
    })
    .optional(),
  status: configurationStatus,
  columns: [ageColumn],
} as const;

/** How the load balancer of a Gateway, or of all Gateways of a class, is made. */
export const LoadBalancerConfiguration = defineResource({
  ...shape,
  group: GATEWAY_AWS_GROUP,
  version: "v1",
  kind: "LoadBalancerConfiguration",
  scope: "Namespaced",
  description: "How the load balancer of a Gateway, or of all Gateways of a class, is made.",
  versions: [{ ...shape, version: "v1beta1", deprecated: deprecation("LoadBalancerConfiguration") }],
  example: {
    apiVersion: "gateway.k8s.aws/v1",
    kind: "LoadBalancerConfiguration",
    metadata: { name: "edge" },
    spec: {
      scheme: "internet-facing",
      listenerConfigurations: [{ protocolPort: "HTTPS:443", sslPolicy: "ELBSecurityPolicy-TLS13-1-2-2021-06" }],
    },
  },
});

/** {@inheritDoc LoadBalancerConfiguration} */
export type LoadBalancerConfiguration = ObjectOf<typeof LoadBalancerConfiguration>;
