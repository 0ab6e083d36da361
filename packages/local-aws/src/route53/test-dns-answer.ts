import { isIP } from "node:net";
import type { Operations } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import { isWithin, parseDomainName } from "../dns/domain-name.ts";
import { RECORD_TYPES } from "../dns/record-type.ts";
import { lookup } from "../dns/zone-lookup.ts";
import type { Handlers } from "../service.ts";
import { zoneView } from "./dns-zones.ts";
import { findZone } from "./find-zone.ts";
import type { Route53Context } from "./route53-context.ts";

/** What a name server of the zone would say, without asking one. */
export function testDnsAnswer(context: Route53Context): Handlers<Operations> {
  return {
    TestDNSAnswer: (input, call) => {
      const zone = findZone(context, input.HostedZoneId, call);
      const name = parseDomainName(input.RecordName);
      if (typeof name !== "string" || !RECORD_TYPES.includes(input.RecordType)) {
        throw new AwsError("InvalidInput", "The record name or the record type is not valid.");
      }
      for (const address of [input.ResolverIP, input.EDNS0ClientSubnetIP]) {
        if (address !== undefined && isIP(address) === 0) {
          throw new AwsError("InvalidInput", `${address.slice(0, 64)} is not an IP address.`);
        }
      }
      const view = zoneView(context, zone);
      const found = lookup({ zoneOf: (at) => (isWithin(at, view.name) ? view : undefined) }, name, input.RecordType);
      const answers = found.kind === "found" ? found.answers : [];
      return {
        Nameserver: zone.nameServers[0] ?? "",
        RecordName: name,
        RecordType: input.RecordType,
        RecordData: answers.map(({ value }) => value),
        ResponseCode: found.kind === "outside" ? "REFUSED" : found.kind === "noName" ? "NXDOMAIN" : "NOERROR",
        Protocol: "UDP",
      };
    },
  };
}
