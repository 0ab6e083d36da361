import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { isWithin } from "../dns/domain-name.ts";
import type { DomainName } from "../dns/domain-name.ts";
import type { LoadBalancerNames } from "../neighbours.ts";
import type { ZoneSets } from "./change-batch.ts";
import { keyOfSet } from "./set-key.ts";
import type { Zone } from "./zone.ts";

/** What keeps an alias from being made: it leads to a load balancer by its canonical zone, or to a set of its own zone. */
export function aliasProblems(
  zone: Zone,
  set: ResourceRecordSet,
  sets: ZoneSets,
  loadBalancers: LoadBalancerNames,
): string[] {
  const alias = set.AliasTarget;
  if (!alias) return [];
  if (set.Type === "NS" || set.Type === "SOA") {
    return [`RRSet of type ${set.Type} with DNS name ${set.Name} cannot be an alias.`];
  }
  const tried = `Tried to create an alias that targets ${alias.DNSName}, type ${set.Type} in zone ${alias.HostedZoneId}, but`;
  const outside = `${tried} the alias target name does not lie within the target zone`;
  const missing = `${tried} that target was not found`;
  if (alias.HostedZoneId === zone.id) {
    if (!isWithin(alias.DNSName, zone.name)) return [outside, missing];
    const own = keyOfSet(zone.id, set);
    const found = sets.ofName(alias.DNSName).some(([key, { Type }]) => key !== own && Type === set.Type);
    return found ? [] : [missing];
  }
  const balancer = loadBalancers.addressesOf(balancerName(alias.DNSName));
  if (!balancer) return [missing];
  if (balancer.canonicalZoneId !== alias.HostedZoneId) return [outside];
  return set.Type === "A" || set.Type === "AAAA" || set.Type === "HTTPS" ? [] : [missing];
}

/** The name of a load balancer without what consoles write before it and without the dot at the end. */
export function balancerName(name: DomainName): string {
  return name.replace(/^dualstack\./, "").replace(/\.$/, "");
}
