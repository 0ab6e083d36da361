import { placeOf } from "../elbv2/arn.ts";
import type { Place } from "../elbv2/arn.ts";
import { berthAddress, berthPort } from "../elbv2/berth.ts";
import type { Addressing } from "../elbv2/berth.ts";
import type { TargetGroupRecord, TargetRecord } from "../elbv2/records.ts";
import type { ElbStore } from "../elbv2/store.ts";
import type { ProbedAt } from "./probe.ts";

/** Where an instance can be reached, if somebody runs it. */
export type InstanceAddress = (instanceId: string, port: number, place: Place) => ProbedAt | undefined;

/** Where targets are: addresses as they are, load balancers on their own address, instances where somebody says. */
export function targetAddresses(
  store: ElbStore,
  addressing: Addressing,
  instanceAddress: InstanceAddress,
): (group: TargetGroupRecord, target: TargetRecord) => ProbedAt | undefined {
  return ({ arn, settings }, { id, port }) => {
    if (port === undefined) return undefined;
    if (settings.TargetType === "ip") return { host: id, port };
    if (settings.TargetType === "alb") {
      const berth = store.loadBalancers.get(id)?.berth;
      return berth === undefined
        ? undefined
        : { host: berthAddress(berth, addressing), port: berthPort(berth, port, addressing) };
    }
    const place = placeOf(arn);
    return settings.TargetType === "instance" && place !== undefined ? instanceAddress(id, port, place) : undefined;
  };
}
