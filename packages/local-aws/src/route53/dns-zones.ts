import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import { domainName, parentName } from "../dns/domain-name.ts";
import type { DomainName } from "../dns/domain-name.ts";
import { lookup } from "../dns/zone-lookup.ts";
import type { ZoneRecord, ZoneView, ZoneViews } from "../dns/zone-view.ts";
import type { PublicDns } from "../neighbours.ts";
import { balancerName } from "./alias-target.ts";
import { chooseSets } from "./choose-sets.ts";
import type { Route53Context } from "./route53-context.ts";
import { namePrefix, treePrefix, typePrefix } from "./set-key.ts";
import { visibleSet } from "./set-versions.ts";
import type { Zone } from "./zone.ts";

/** What Route 53 says of the addresses of load balancers. */
const BALANCER_TTL = 60;
const LONGEST_ALIAS_CHAIN = 8;
const NAME_TYPES: ReadonlySet<string> = new Set(["CNAME", "NS", "PTR"]);

/** Public zones as DNS has them now: only changes that are in sync count. */
export function dnsZones(context: Route53Context): ZoneViews {
  const { tables } = context;
  return {
    zoneOf: (name) => {
      for (let at: DomainName | undefined = name; at !== undefined; at = parentName(at)) {
        for (const [, id] of tables.publicNames.scan(`${at} `)) {
          const zone = tables.zones.get(id);
          const view = zone && zoneView(context, zone);
          if (view && view.records(view.name, "SOA").length > 0) return view;
        }
      }
      return undefined;
    },
  };
}

/** One zone as DNS has it now. */
export function zoneView({ tables, world, loadBalancers }: Route53Context, zone: Zone): ZoneView {
  const now = world.clock.now();
  const visible = function* (prefix: string): Iterable<ResourceRecordSet> {
    for (const [, versions] of tables.sets.scan(prefix)) {
      const set = visibleSet(versions, now);
      if (set) yield set;
    }
  };
  const records = (name: DomainName, type: string, followed = 0): readonly ZoneRecord[] =>
    chooseSets([...visible(typePrefix(zone.id, name, type))], world.random).flatMap((set) => {
      const alias = set.AliasTarget;
      if (!alias) return (set.ResourceRecords ?? []).map(({ Value }) => ({ ttl: set.TTL ?? 0, value: Value }));
      if (alias.HostedZoneId === zone.id) {
        return followed < LONGEST_ALIAS_CHAIN ? records(alias.DNSName, type, followed + 1) : [];
      }
      const balancer = loadBalancers.addressesOf(balancerName(alias.DNSName));
      const addresses = type === "A" ? balancer?.ipv4 : type === "AAAA" ? balancer?.ipv6 : undefined;
      return (addresses ?? []).map((value) => ({ ttl: BALANCER_TTL, value }));
    });
  return {
    name: zone.name,
    exists: (name) => {
      for (const _set of visible(treePrefix(zone.id, name))) return true;
      return false;
    },
    records: (name, type) => records(name, type),
    types: (name) => [...new Set([...visible(namePrefix(zone.id, name))].map(({ Type }) => Type))],
  };
}

/** DNS for other services. Names in answers are absolute and in lower case. */
export function publicDns(zones: ZoneViews): PublicDns {
  return {
    lookup: (name, type) => {
      const asked = domainName(name);
      const found = asked === undefined ? undefined : lookup(zones, asked, type);
      if (found?.kind !== "found") return [];
      return found.answers.map((answer) =>
        NAME_TYPES.has(answer.type) ? { ...answer, value: domainName(answer.value) ?? answer.value } : answer,
      );
    },
  };
}
