import type { ResourceRecordSet } from "@gatewright/aws-wire/types/route53";
import type { ZoneSets } from "./change-batch.ts";
import { routingOf } from "./record-set.ts";
import { keyOfSet } from "./set-key.ts";
import type { Zone } from "./zone.ts";

const MOST_OF_ONE_NAME = 100;

/** What keeps a set from standing beside the others of its name: CNAMEs stand alone, sets of one type are chosen in one way. */
export function neighbourProblems(zone: Zone, set: ResourceRecordSet, sets: ZoneSets): string[] {
  const own = keyOfSet(zone.id, set);
  const others = sets.ofName(set.Name).flatMap(([key, other]) => (key === own ? [] : [other]));
  const type = others.find(({ Type }) => Type !== set.Type && (set.Type === "CNAME" || Type === "CNAME"));
  if (type) {
    return set.Type === "CNAME"
      ? [
          `RRSet of type CNAME with DNS name ${set.Name} is not permitted as it conflicts with other records ` +
            `with the same DNS name in zone ${zone.name}`,
        ]
      : [
          `RRSet of type ${set.Type} with DNS name ${set.Name} is not permitted because a conflicting RRSet ` +
            `of type CNAME with the same DNS name already exists in zone ${zone.name}`,
        ];
  }
  const siblings = others.filter(({ Type }) => Type === set.Type);
  if (siblings.length === 0) return [];
  const identifier = set.SetIdentifier === undefined ? "" : `, SetIdentifier ${set.SetIdentifier}`;
  const cannot = `RRSet with DNS name ${set.Name}, type ${set.Type}${identifier} cannot be created`;
  if (siblings.length >= MOST_OF_ONE_NAME)
    return [`${cannot} as there are already ${MOST_OF_ONE_NAME} of the same name and type.`];
  const routing = routingOf(set);
  if (siblings.some((sibling) => routingOf(sibling) !== routing)) {
    return routing === "MultiValueAnswer"
      ? [`${cannot} because a non multivalue answer rrset exists with the same name and type.`]
      : [`${cannot} as other RRSets exist with the same name and type.`];
  }
  if (
    routing === "Weight" &&
    siblings.some(({ TTL }) => TTL !== undefined && set.TTL !== undefined && TTL !== set.TTL)
  ) {
    return [`${cannot} as weighted sets must contain the same TTL.`];
  }
  const same = siblings.some((sibling) => samePlace(sibling, set));
  return same ? [`${cannot} as a set with the same ${routing ?? "routing"} exists with the same name and type.`] : [];
}

/** Whether two sets claim the same part of the clients; weights and values may be equal. */
function samePlace(a: ResourceRecordSet, b: ResourceRecordSet): boolean {
  if (a.Region !== undefined) return a.Region === b.Region;
  if (a.Failover !== undefined) return a.Failover === b.Failover;
  if (a.GeoLocation === undefined) return false;
  const parts = ["ContinentCode", "CountryCode", "SubdivisionCode"] as const;
  return parts.every((part) => a.GeoLocation?.[part] === b.GeoLocation?.[part]);
}
