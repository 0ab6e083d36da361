import type { Operations } from "@gatewright/aws-wire/types/route53";
import type { ZoneViews } from "../dns/zone-view.ts";
import type { LoadBalancerNames, PublicDns, TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { accountLimits } from "./account-limits.ts";
import { dnsZones, publicDns } from "./dns-zones.ts";
import { listZones } from "./list-zones.ts";
import { recordOperations } from "./record-operations.ts";
import type { Route53Context } from "./route53-context.ts";
import { route53Tables } from "./route53-tables.ts";
import { seedZone } from "./seed-zone.ts";
import type { SeededZone } from "./seed-zone.ts";
import { testDnsAnswer } from "./test-dns-answer.ts";
import { vpcOperations } from "./vpc-operations.ts";
import { zoneOperations } from "./zone-operations.ts";
import { taggedZones, zoneTags } from "./zone-tags.ts";

/** Route 53, and what others take from it. */
export interface Route53 {
  readonly service: Service;
  readonly dns: PublicDns;
  /** For the DNS server. */
  readonly zones: ZoneViews;
  readonly tagged: TaggedResources;
  /** Makes sure that there is a public zone with this id; it is in DNS at once. Does nothing when it is there already. */
  seedZone(zone: SeededZone): Promise<void>;
}

/** How strict Route 53 is. */
export interface Route53Options {
  /** Whether a zone refuses a change with PriorRequestNotComplete while it works on one (half a second at AWS's pace). Default true. */
  readonly oneAtATime?: boolean;
}

/** Route 53: hosted zones, records and changes. Global, so regions make no difference. */
export function createRoute53(
  world: AwsWorld,
  neighbours: { readonly loadBalancers: LoadBalancerNames },
  options: Route53Options = {},
): Route53 {
  const context: Route53Context = {
    world,
    tables: route53Tables(world.state),
    loadBalancers: neighbours.loadBalancers,
    oneAtATime: options.oneAtATime ?? true,
  };
  const zones = dnsZones(context);
  return {
    service: service<Operations>("route53", {
      ...zoneOperations(context),
      ...vpcOperations(context),
      ...recordOperations(context),
      ...listZones(context),
      ...zoneTags(context),
      ...accountLimits(context),
      ...testDnsAnswer(context),
    }),
    dns: publicDns(zones),
    zones,
    tagged: taggedZones(context),
    seedZone: (zone) => seedZone(context, zone),
  };
}
