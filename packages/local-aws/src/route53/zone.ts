import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import type { HostedZone } from "@gatewright/aws-wire/types/route53";
import type { DomainName } from "../dns/domain-name.ts";

/** A network that a private zone is for. */
export interface ZoneVpc {
  readonly id: string;
  readonly region: string;
}

/** A hosted zone as it is kept. Its records are kept apart. */
export interface Zone {
  readonly id: string;
  readonly account: string;
  readonly name: DomainName;
  readonly callerReference: string;
  readonly comment?: string | undefined;
  readonly private: boolean;
  readonly vpcs: readonly ZoneVpc[];
  /** Without the dot at the end. */
  readonly nameServers: readonly string[];
  readonly tags: readonly (readonly [key: string, value: string])[];
  /** How many record sets the API shows. */
  readonly recordCount: number;
  readonly created: number;
  /** Until then the last request about it is being worked on. */
  readonly busyUntil: number;
  /** When all changes so far are in DNS. */
  readonly syncedAt: number;
}

const ID_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SERVER_DOMAINS = ["com", "net", "org", "co.uk"] as const;

/** Four name servers, one of each domain, as Route 53 numbers them. */
export function delegationSet(random: Random): string[] {
  const bytes = random.bytes(3 * SERVER_DOMAINS.length);
  return SERVER_DOMAINS.map((domain, at) => {
    const number = at * 512 + (((bytes[3 * at] ?? 0) * 256 + (bytes[3 * at + 1] ?? 0)) % 512);
    return `ns-${number}.awsdns-${String((bytes[3 * at + 2] ?? 0) % 64).padStart(2, "0")}.${domain}`;
  });
}

/** The name servers of every private zone. Nobody can ask them from outside. */
export const PRIVATE_NAME_SERVERS: readonly string[] = SERVER_DOMAINS.map(
  (domain, at) => `ns-${at * 512}.awsdns-00.${domain}`,
);

/** An id as Route 53 gives them. */
export function newZoneId(random: Random): string {
  return `Z${randomString(random, ID_LETTERS, 20)}`;
}

/** The zone as the API shows it. */
export function hostedZone(zone: Zone): HostedZone {
  return {
    Id: `/hostedzone/${zone.id}`,
    Name: zone.name,
    CallerReference: zone.callerReference,
    Config: { ...(zone.comment !== undefined && { Comment: zone.comment }), PrivateZone: zone.private },
    ResourceRecordSetCount: zone.recordCount,
  };
}
