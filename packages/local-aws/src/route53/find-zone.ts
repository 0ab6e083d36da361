import { AwsError } from "../aws-error.ts";
import type { CallContext } from "../service.ts";
import type { Route53Context } from "./route53-context.ts";
import type { Zone } from "./zone.ts";

const LONGEST_ID = 32;

/** The zone that a client means, by its id with or without `/hostedzone/`. Refuses unknown zones and those of other accounts. */
export function findZone({ tables }: Route53Context, given: string, call: CallContext): Zone {
  const id = bareId(given, "hostedzone", "hostedZoneId");
  const zone = tables.zones.get(id);
  if (!zone) throw new AwsError("NoSuchHostedZone", `No hosted zone found with ID: ${id}`, { status: 404 });
  if (zone.account !== call.account) {
    throw new AwsError("AccessDenied", `User: ${call.caller.arn} is not authorized to access this resource`, {
      status: 403,
    });
  }
  return zone;
}

/** The zone as `findZone` has it, unless it is still occupied by an earlier request. */
export function findIdleZone(context: Route53Context, given: string, call: CallContext): Zone {
  const zone = findZone(context, given, call);
  if (context.oneAtATime && zone.busyUntil > context.world.clock.now()) {
    throw new AwsError(
      "PriorRequestNotComplete",
      "The request was rejected because Route 53 was still processing a prior request.",
    );
  }
  return zone;
}

/** An id without the path that answers write before it. */
export function bareId(given: string, path: string, member: string): string {
  const id = given.replace(/^\//, "").replace(new RegExp(`^${path}/`), "");
  if (id.length > LONGEST_ID || id.includes("/")) {
    throw new AwsError(
      "InvalidInput",
      `1 validation error detected: Value '${id.slice(0, 64)}' at '${member}' failed to satisfy constraint: ` +
        `Member must have length less than or equal to ${LONGEST_ID}`,
    );
  }
  return id;
}

/** The page size that was asked for, within bounds. */
export function maxItems(given: string | undefined, largest: number, standard = 100): number {
  if (given === undefined || given === "") return standard;
  const number = Number(given);
  if (!/^\d{1,9}$/.test(given) || number < 1) {
    throw new AwsError("InvalidInput", `Invalid value for MaxItems: ${given.slice(0, 32)}`);
  }
  return Math.min(number, largest);
}
