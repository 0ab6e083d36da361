import type { Operations, VPC } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { acceptChange } from "./accept-change.ts";
import { MOST_VPCS } from "./account-limits.ts";
import { findIdleZone, findZone } from "./find-zone.ts";
import type { Route53Context } from "./route53-context.ts";
import type { Zone, ZoneVpc } from "./zone.ts";

/** Which networks a private zone is for. */
export function vpcOperations(context: Route53Context): Handlers<Operations> {
  const { world } = context;
  return {
    AssociateVPCWithHostedZone: async (input, call) => {
      const zone = findIdleZone(context, input.HostedZoneId, call);
      const vpc = checkVpc(input.VPC);
      if (!zone.private) {
        throw new AwsError("PublicZoneVPCAssociation", "You can't associate a VPC with a public hosted zone.");
      }
      if (zone.vpcs.length >= MOST_VPCS)
        throw new AwsError("LimitsExceeded", "Limits Exceeded: MAX_VPCS_ASSOCIATED_BY_ZONE");
      const conflict = conflictingZone(context, zone, vpc);
      if (conflict) throw conflict;
      const accepted = acceptChange(context, { ...zone, vpcs: [...zone.vpcs, vpc] }, new Map(), input.Comment);
      await world.state.commit(accepted.commit);
      return { ChangeInfo: accepted.info };
    },

    DisassociateVPCFromHostedZone: async (input, call) => {
      const zone = findZone(context, input.HostedZoneId, call);
      const vpc = checkVpc(input.VPC);
      const rest = zone.vpcs.filter((other) => !sameVpc(other, vpc));
      if (rest.length === zone.vpcs.length) {
        throw new AwsError("VPCAssociationNotFound", `The VPC: ${vpc.id} is not associated with the hosted zone`, {
          status: 404,
        });
      }
      if (rest.length === 0) {
        throw new AwsError("LastVPCAssociation", "Cannot remove the last VPC association for the private zone");
      }
      const accepted = acceptChange(context, { ...zone, vpcs: rest }, new Map(), input.Comment);
      await world.state.commit(accepted.commit);
      return { ChangeInfo: accepted.info };
    },
  };
}

/** The network that a request names. Whether there is one is not known here. */
export function checkVpc({ VPCId, VPCRegion }: VPC): ZoneVpc {
  if (VPCId === undefined || !/^vpc-[0-9a-f]{8,17}$/.test(VPCId)) {
    throw new AwsError("InvalidVPCId", `The VPC ID that you specified is not valid: ${VPCId?.slice(0, 64) ?? "none"}`);
  }
  if (VPCRegion === undefined || !/^[a-z0-9-]{1,64}$/.test(VPCRegion)) {
    throw new AwsError("InvalidInput", "The VPC needs a region");
  }
  return { id: VPCId, region: VPCRegion };
}

/** A network can have one zone of a name. */
export function conflictingZone({ tables }: Route53Context, zone: Zone, vpc: ZoneVpc): AwsError | undefined {
  const others = tables.zones.list().filter(([, other]) => other.private && other.name === zone.name);
  const taken = others.find(([, other]) => other.vpcs.some((one) => sameVpc(one, vpc)));
  if (!taken) return undefined;
  return new AwsError(
    "ConflictingDomainExists",
    `The VPC ${vpc.id} in region ${vpc.region} has already been associated with the hosted zone ${taken[0]} ` +
      "with the same domain name.",
  );
}

export function sameVpc(a: ZoneVpc, b: ZoneVpc): boolean {
  return a.id === b.id && a.region === b.region;
}
