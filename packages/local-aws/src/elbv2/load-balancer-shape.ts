import type { AvailabilityZone, LoadBalancer } from "@gatewright/aws-wire/types/elbv2";
import type { LoadBalancerRecord } from "./records.ts";

/** A load balancer as clients see it at a moment. */
export function loadBalancerShape(record: LoadBalancerRecord, now: number): LoadBalancer {
  return {
    LoadBalancerArn: record.arn,
    DNSName: record.dnsName,
    CanonicalHostedZoneId: record.zoneId,
    CreatedTime: record.createdAt,
    LoadBalancerName: record.name,
    Scheme: record.scheme,
    VpcId: record.vpcId,
    State: { Code: now < record.activeAt ? "provisioning" : "active" },
    Type: record.type,
    AvailabilityZones: zoneShapes(record),
    ...((record.type === "application" || record.securityGroups.length > 0) && {
      SecurityGroups: record.securityGroups,
    }),
    IpAddressType: record.ipAddressType,
  };
}

/** The zones of a load balancer as clients see them. */
export function zoneShapes(record: LoadBalancerRecord): readonly AvailabilityZone[] {
  return record.subnets.map(({ id, zone, allocationId, privateAddress }) => ({
    ZoneName: zone,
    SubnetId: id,
    LoadBalancerAddresses:
      allocationId === undefined && privateAddress === undefined
        ? []
        : [{ AllocationId: allocationId, PrivateIPv4Address: privateAddress }],
  }));
}
