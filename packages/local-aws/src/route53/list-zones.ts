import type { Operations } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import { parseDomainName } from "../dns/domain-name.ts";
import type { CallContext, Handlers } from "../service.ts";
import { bareId, maxItems } from "./find-zone.ts";
import type { Route53Context } from "./route53-context.ts";
import { sortName } from "./set-key.ts";
import { checkVpc, sameVpc } from "./vpc-operations.ts";
import { hostedZone } from "./zone.ts";
import type { Zone } from "./zone.ts";

const LARGEST_PAGE = 100;

/** Zones in pages: by id, by name, and by network. */
export function listZones({ tables }: Route53Context): Handlers<Operations> {
  const own = (call: CallContext): Zone[] =>
    tables.zones.list().flatMap(([, zone]) => (zone.account === call.account ? [zone] : []));
  return {
    ListHostedZones: (input, call) => {
      const size = maxItems(input.MaxItems, LARGEST_PAGE);
      if (input.DelegationSetId !== undefined) {
        throw new AwsError(
          "NoSuchDelegationSet",
          `No delegation set found with ID: ${input.DelegationSetId.slice(0, 64)}`,
        );
      }
      if (input.HostedZoneType !== undefined && input.HostedZoneType !== "PrivateHostedZone") {
        throw new AwsError("InvalidInput", `Unknown hosted zone type: ${input.HostedZoneType.slice(0, 64)}`);
      }
      const marker = input.Marker === undefined ? "" : bareId(input.Marker, "hostedzone", "marker");
      const zones = own(call).filter(
        (zone) => zone.id >= marker && (zone.private || input.HostedZoneType === undefined),
      );
      const following = zones[size];
      return {
        HostedZones: zones.slice(0, size).map(hostedZone),
        Marker: marker,
        IsTruncated: following !== undefined,
        ...(following && { NextMarker: following.id }),
        MaxItems: String(size),
      };
    },

    ListHostedZonesByName: (input, call) => {
      const size = maxItems(input.MaxItems, LARGEST_PAGE);
      if (input.HostedZoneId !== undefined && input.DNSName === undefined) {
        throw new AwsError("InvalidInput", "The request has a hosted zone ID but no DNS name.");
      }
      const start = input.DNSName === undefined ? undefined : parseDomainName(input.DNSName);
      if (typeof start === "object") {
        throw new AwsError("InvalidDomainName", `${input.DNSName?.slice(0, 255)} is not a valid domain name`);
      }
      const id = input.HostedZoneId === undefined ? "" : bareId(input.HostedZoneId, "hostedzone", "hostedZoneId");
      const first = start === undefined ? "" : `${sortName(start)} ${id}`;
      const zones = own(call)
        .map((zone) => ({ key: `${sortName(zone.name)} ${zone.id}`, zone }))
        .filter(({ key }) => key >= first)
        .toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const following = zones[size]?.zone;
      return {
        HostedZones: zones.slice(0, size).map(({ zone }) => hostedZone(zone)),
        ...(start !== undefined && { DNSName: start }),
        ...(input.HostedZoneId !== undefined && { HostedZoneId: id }),
        IsTruncated: following !== undefined,
        ...(following && { NextDNSName: following.name, NextHostedZoneId: following.id }),
        MaxItems: String(size),
      };
    },

    ListHostedZonesByVPC: (input, call) => {
      const size = maxItems(input.MaxItems, LARGEST_PAGE);
      const vpc = checkVpc(input);
      const token = input.NextToken;
      if (token !== undefined && tables.zones.get(token)?.account !== call.account) {
        throw new AwsError("InvalidPaginationToken", "The pagination token is not valid.");
      }
      const zones = own(call).filter((zone) => zone.id >= (token ?? "") && zone.vpcs.some((one) => sameVpc(one, vpc)));
      const following = zones[size];
      return {
        HostedZoneSummaries: zones
          .slice(0, size)
          .map((zone) => ({ HostedZoneId: zone.id, Name: zone.name, Owner: { OwningAccount: zone.account } })),
        MaxItems: String(size),
        ...(following && { NextToken: following.id }),
      };
    },
  };
}
