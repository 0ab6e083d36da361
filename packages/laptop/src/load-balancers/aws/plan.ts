import type { GatewayModel, LoadBalancerModel, Tags, TargetGroupModel } from "../model/model.ts";
import type { AwsLoadBalancer, AwsStack, AwsTargetGroup } from "./aws-stack.ts";
import { planListeners } from "./plan-listeners.ts";
import { changedAttributes, within } from "./same.ts";
import type { Step } from "./step.ts";

/** Where load balancers are put. */
export interface Network {
  readonly vpcId: string;
  readonly subnets: readonly string[];
}

/**
 * The calls that make what AWS has what it should have, in the order in which no request is lost: targets before rules, rules before
 * what they led to goes. Pure; empty when nothing differs.
 */
export function plan(model: GatewayModel, stack: AwsStack, network: Network): readonly Step[] {
  const groups = new Map(model.targetGroups.map((group) => [group.name, group]));
  const groupsThere = new Map(stack.targetGroups.map((group) => [group.shape.TargetGroupName ?? "", group]));
  const arnOf = (id: string): string | undefined => {
    const wanted = model.targetGroups.find((group) => group.id === id);
    return wanted && groupsThere.get(wanted.name)?.arn;
  };
  const there = stack.loadBalancers.find((each) => isSame(model.loadBalancer, each));
  return [
    // A target group belongs to one load balancer at a time, so the old one goes before the new one gets its groups.
    ...stack.loadBalancers.filter((each) => each !== there).map(({ arn }): Step => ({ do: "deleteLoadBalancer", arn })),
    ...model.targetGroups.flatMap((group) => planGroup(group, groupsThere.get(group.name))),
    ...planLoadBalancer(model.loadBalancer, there, network),
    ...planListeners(model, there?.listeners ?? [], arnOf),
    ...stack.targetGroups
      .filter(({ shape }) => !groups.has(shape.TargetGroupName ?? ""))
      .map(({ arn }): Step => ({ do: "deleteTargetGroup", arn })),
  ];
}

/** The calls that leave nothing of a Gateway. */
export function planRemoval(stack: AwsStack): readonly Step[] {
  return [
    ...stack.loadBalancers.map(({ arn }): Step => ({ do: "deleteLoadBalancer", arn })),
    ...stack.targetGroups.map(({ arn }): Step => ({ do: "deleteTargetGroup", arn })),
  ];
}

/** Name and scheme cannot change. */
export function isSame({ name, scheme }: LoadBalancerModel, { shape }: AwsLoadBalancer): boolean {
  return shape.LoadBalancerName === name && shape.Scheme === scheme;
}

function planLoadBalancer(
  model: LoadBalancerModel,
  there: AwsLoadBalancer | undefined,
  network: Network,
): readonly Step[] {
  if (there === undefined) {
    const { attributes } = model;
    return [
      { do: "createLoadBalancer", model },
      ...(attributes.length > 0 ? [{ do: "setLoadBalancerAttributes" as const, attributes }] : []),
    ];
  }
  const { arn, shape } = there;
  const { ipAddressType, securityGroups } = model;
  const subnets = (shape.AvailabilityZones ?? []).flatMap(({ SubnetId }) => SubnetId ?? []).toSorted();
  const attributes = changedAttributes(model.attributes, there.attributes);
  return [
    ...(model.subnets !== undefined && !within(network.subnets.toSorted(), subnets)
      ? [{ do: "setSubnets" as const, arn, ids: network.subnets }]
      : []),
    ...(securityGroups !== undefined && !within(securityGroups, (shape.SecurityGroups ?? []).toSorted())
      ? [{ do: "setSecurityGroups" as const, arn, ids: securityGroups }]
      : []),
    ...(shape.IpAddressType === ipAddressType ? [] : [{ do: "setIpAddressType" as const, arn, ipAddressType }]),
    ...(attributes.length > 0 ? [{ do: "setLoadBalancerAttributes" as const, attributes }] : []),
    ...planTags(arn, model.tags, there.tags),
  ];
}

function planGroup(group: TargetGroupModel, there: AwsTargetGroup | undefined): readonly Step[] {
  if (there === undefined) {
    const { attributes } = group;
    return [
      { do: "createTargetGroup", group },
      ...(attributes.length > 0 ? [{ do: "setTargetGroupAttributes" as const, group: group.id, attributes }] : []),
      { do: "fillTargetGroup", group },
    ];
  }
  const {
    TargetType: _type,
    Protocol: _protocol,
    ProtocolVersion: _version,
    Port: _port,
    ...changeable
  } = group.settings;
  const { IpAddressType: _ip, ...change } = changeable;
  const attributes = changedAttributes(group.attributes, there.attributes);
  return [
    ...(within(change, there.shape) ? [] : [{ do: "modifyTargetGroup" as const, arn: there.arn, change }]),
    ...(attributes.length > 0 ? [{ do: "setTargetGroupAttributes" as const, group: group.id, attributes }] : []),
    ...planTags(there.arn, group.tags, there.tags),
    // It was made, and then something went wrong before it had targets.
    ...((there.shape.LoadBalancerArns ?? []).length === 0 ? [{ do: "fillTargetGroup" as const, group }] : []),
  ];
}

function planTags(arn: string, wanted: Tags, actual: Tags): readonly Step[] {
  const added = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => actual[key] !== value));
  // Tags of AWS's own cannot be removed.
  const gone = Object.keys(actual).filter((key) => !Object.hasOwn(wanted, key) && !key.startsWith("aws:"));
  return [
    ...(Object.keys(added).length > 0 ? [{ do: "addTags" as const, arn, tags: added }] : []),
    ...(gone.length > 0 ? [{ do: "removeTags" as const, arn, keys: gone }] : []),
  ];
}
