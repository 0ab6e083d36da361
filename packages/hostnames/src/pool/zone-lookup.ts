import type { Aws } from "@gatewright/aws";

/** Asks for the hosted zone that alias records name for a load balancer. Undefined: there is no load balancer of that name. */
export type ZoneLookup = (dnsName: string, signal: AbortSignal) => Promise<string | undefined>;

/** Asks AWS, for regions that the table does not have. */
export function zoneLookup({ elbv2 }: { readonly elbv2: Pick<Aws["elbv2"], "allLoadBalancers"> }): ZoneLookup {
  return async (dnsName, signal) => {
    for await (const { DNSName, CanonicalHostedZoneId } of elbv2.allLoadBalancers({}, { signal })) {
      if (DNSName?.toLowerCase() === dnsName.toLowerCase()) return CanonicalHostedZoneId;
    }
    return undefined;
  };
}
