import type { Operations } from "@gatewright/aws-wire/types/route53";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { MOST_RECORD_SETS } from "./change-batch.ts";
import { findZone } from "./find-zone.ts";
import type { Route53Context } from "./route53-context.ts";

/** Zones of one account. */
export const MOST_ZONES = 500;
/** Networks of one private zone. */
export const MOST_VPCS = 300;

const OF_ACCOUNT: ReadonlyMap<string, number> = new Map([
  ["MAX_HEALTH_CHECKS_BY_OWNER", 200],
  ["MAX_HOSTED_ZONES_BY_OWNER", MOST_ZONES],
  ["MAX_TRAFFIC_POLICY_INSTANCES_BY_OWNER", 5],
  ["MAX_REUSABLE_DELEGATION_SETS_BY_OWNER", 100],
  ["MAX_TRAFFIC_POLICIES_BY_OWNER", 50],
]);

/** How much there may be, and how much there is. */
export function accountLimits(context: Route53Context): Handlers<Operations> {
  const { tables } = context;
  return {
    GetAccountLimit: ({ Type }, call) => {
      const Value = OF_ACCOUNT.get(Type);
      if (Value === undefined) throw unknownLimit(Type);
      const zones = tables.zones.list().filter(([, zone]) => zone.account === call.account).length;
      return { Limit: { Type, Value }, Count: Type === "MAX_HOSTED_ZONES_BY_OWNER" ? zones : 0 };
    },
    GetHostedZoneLimit: ({ Type, HostedZoneId }, call) => {
      const zone = findZone(context, HostedZoneId, call);
      switch (Type) {
        case "MAX_RRSETS_BY_ZONE":
          return { Limit: { Type, Value: MOST_RECORD_SETS }, Count: zone.recordCount };
        case "MAX_VPCS_ASSOCIATED_BY_ZONE":
          if (!zone.private)
            throw new AwsError("HostedZoneNotPrivate", "The specified hosted zone is not a private hosted zone.");
          return { Limit: { Type, Value: MOST_VPCS }, Count: zone.vpcs.length };
        default:
          throw unknownLimit(Type);
      }
    },
  };
}

function unknownLimit(type: string): AwsError {
  return new AwsError("InvalidInput", `Unknown limit type: ${type.slice(0, 64)}`);
}
