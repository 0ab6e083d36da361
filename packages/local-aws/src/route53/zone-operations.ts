import type { Operations } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { acceptChange, acceptDeletion } from "./accept-change.ts";
import { MOST_ZONES } from "./account-limits.ts";
import { findIdleZone, findZone } from "./find-zone.ts";
import { newZone, zoneRecords } from "./new-zone.ts";
import type { Route53Context } from "./route53-context.ts";
import { currentSet } from "./set-versions.ts";
import { checkVpc, conflictingZone } from "./vpc-operations.ts";
import { hostedZone } from "./zone.ts";

const LONGEST_COMMENT = 256;

/** Zones made, shown, commented, counted and ended. */
export function zoneOperations(context: Route53Context): Handlers<Operations> {
  const { world, tables } = context;
  return {
    CreateHostedZone: async (input, call) => {
      if (input.CallerReference === "" || input.CallerReference.length > 128) {
        throw new AwsError("InvalidInput", "CallerReference must have from 1 to 128 characters");
      }
      checkComment(input.HostedZoneConfig?.Comment);
      const own = tables.zones.list().filter(([, zone]) => zone.account === call.account);
      if (own.some(([, { callerReference }]) => callerReference === input.CallerReference)) {
        throw new AwsError(
          "HostedZoneAlreadyExists",
          `A hosted zone has already been created with the specified caller reference: ${input.CallerReference}`,
          { status: 409 },
        );
      }
      if (own.length >= MOST_ZONES) {
        throw new AwsError("TooManyHostedZones", "Limits Exceeded: MAX_HOSTED_ZONES_BY_OWNER");
      }
      if (input.DelegationSetId !== undefined) {
        throw new AwsError(
          "NoSuchDelegationSet",
          `No delegation set found with ID: ${input.DelegationSetId.slice(0, 64)}`,
        );
      }
      const vpc = input.VPC && checkVpc(input.VPC);
      if (!vpc && input.HostedZoneConfig?.PrivateZone === true) {
        throw new AwsError("InvalidInput", "When creating a private hosted zone, this request must contain a VPC.");
      }
      const zone = newZone(world, {
        account: call.account,
        name: input.Name,
        callerReference: input.CallerReference,
        comment: input.HostedZoneConfig?.Comment,
        vpc,
      });
      if (vpc) {
        const conflict = conflictingZone(context, zone, vpc);
        if (conflict) throw conflict;
      }
      const accepted = acceptChange(context, zone, zoneRecords(zone));
      await world.state.commit(accepted.commit);
      return {
        HostedZone: hostedZone(tables.zones.get(zone.id) ?? zone),
        ChangeInfo: accepted.info,
        DelegationSet: { NameServers: zone.nameServers },
        ...(vpc && { VPC: { VPCId: vpc.id, VPCRegion: vpc.region } }),
        Location: `https://route53.amazonaws.com/2013-04-01/hostedzone/${zone.id}`,
      };
    },

    GetHostedZone: ({ Id }, call) => {
      const zone = findZone(context, Id, call);
      return zone.private
        ? { HostedZone: hostedZone(zone), VPCs: zone.vpcs.map(({ id, region }) => ({ VPCId: id, VPCRegion: region })) }
        : { HostedZone: hostedZone(zone), DelegationSet: { NameServers: zone.nameServers } };
    },

    GetHostedZoneCount: (_input, call) => ({
      HostedZoneCount: tables.zones.list().filter(([, zone]) => zone.account === call.account).length,
    }),

    UpdateHostedZoneComment: async ({ Id, Comment }, call) => {
      const { comment: _old, ...zone } = findZone(context, Id, call);
      checkComment(Comment);
      const commented = { ...zone, ...(Comment !== undefined && { comment: Comment }) };
      await world.state.commit((commit) => commit.put(tables.zones, zone.id, commented));
      return { HostedZone: hostedZone(commented) };
    },

    DeleteHostedZone: async ({ Id }, call) => {
      const zone = findIdleZone(context, Id, call);
      for (const [, versions] of tables.sets.scan(`${zone.id}/`)) {
        const set = currentSet(versions);
        if (set && !(set.Name === zone.name && (set.Type === "SOA" || set.Type === "NS"))) {
          throw new AwsError(
            "HostedZoneNotEmpty",
            "The specified hosted zone contains non-required resource record sets and so cannot be deleted.",
          );
        }
      }
      const accepted = acceptDeletion(context, zone);
      await world.state.commit(accepted.commit);
      return { ChangeInfo: accepted.info };
    },
  };
}

function checkComment(comment: string | undefined): void {
  if (comment !== undefined && comment.length > LONGEST_COMMENT) {
    throw new AwsError("InvalidInput", `Comment must have at most ${LONGEST_COMMENT} characters`);
  }
}
