import { AwsError } from "../aws-error.ts";
import { parseDomainName } from "../dns/domain-name.ts";
import type { AwsWorld } from "../world.ts";
import type { SetChanges } from "./route53-context.ts";
import { setKey } from "./set-key.ts";
import { delegationSet, newZoneId, PRIVATE_NAME_SERVERS } from "./zone.ts";
import type { Zone, ZoneVpc } from "./zone.ts";

/** What a zone is made from. */
export interface ZoneWish {
  readonly account: string;
  readonly name: string;
  readonly callerReference: string;
  readonly comment?: string | undefined;
  /** Makes the zone private. */
  readonly vpc?: ZoneVpc | undefined;
  /** Default: a new one. */
  readonly id?: string;
}

const NAME_SERVER_TTL = 172_800;
const AUTHORITY_TTL = 900;

/** A zone that is not written down yet. */
export function newZone(world: AwsWorld, wish: ZoneWish): Zone {
  const name = parseDomainName(wish.name);
  if (typeof name !== "string" || name === ".") {
    throw new AwsError("InvalidDomainName", `${wish.name.slice(0, 255)} is not a valid domain name`);
  }
  return {
    id: wish.id ?? newZoneId(world.random),
    account: wish.account,
    name,
    callerReference: wish.callerReference,
    ...(wish.comment !== undefined && { comment: wish.comment }),
    private: wish.vpc !== undefined,
    vpcs: wish.vpc ? [wish.vpc] : [],
    nameServers: wish.vpc ? PRIVATE_NAME_SERVERS : delegationSet(world.random),
    tags: [],
    recordCount: 0,
    created: world.clock.now(),
    busyUntil: 0,
    syncedAt: 0,
  };
}

/** The records that every zone begins with: its authority and its name servers. */
export function zoneRecords({ id, name, nameServers }: Zone): SetChanges {
  const soa = `${nameServers[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400`;
  return new Map([
    [
      setKey(id, name, "NS"),
      {
        Name: name,
        Type: "NS",
        TTL: NAME_SERVER_TTL,
        ResourceRecords: nameServers.map((server) => ({ Value: `${server}.` })),
      },
    ],
    [setKey(id, name, "SOA"), { Name: name, Type: "SOA", TTL: AUTHORITY_TTL, ResourceRecords: [{ Value: soa }] }],
  ]);
}
