import { placeOf } from "../elbv2/arn.ts";
import type { Place } from "../elbv2/arn.ts";
import { berthAddress, berthPort } from "../elbv2/berth.ts";
import type { Addressing } from "../elbv2/berth.ts";
import type { TargetGroupRecord, TargetRecord } from "../elbv2/records.ts";
import type { ElbStore } from "../elbv2/store.ts";
import type { ProbedAt } from "./probe.ts";

/**
 * Where a port of a target, an instance or an IP address, can really be reached. Undefined: nothing is known of it. Asked for every
 * connection, so what it says may change; `place` is that of the target group.
 */
export type TargetAddress = (target: string, port: number, place: Place) => ProbedAt | undefined;

/**
 * Where targets are: load balancers on their own address, all others where somebody says. An address of which nobody says
 * anything is taken as it is; an instance is then nowhere.
 */
export function targetAddresses(
  store: ElbStore,
  addressing: Addressing,
  targetAddress: TargetAddress,
): (group: TargetGroupRecord, target: TargetRecord) => ProbedAt | undefined {
  return ({ arn, settings }, { id, port }) => {
    if (port === undefined) return undefined;
    if (settings.TargetType === "alb") {
      const berth = store.loadBalancers.get(id)?.berth;
      return berth === undefined
        ? undefined
        : { host: berthAddress(berth, addressing), port: berthPort(berth, port, addressing) };
    }
    const place = placeOf(arn);
    const known = place && targetAddress(id, port, place);
    return known ?? (settings.TargetType === "ip" ? { host: id, port } : undefined);
  };
}
