import { randomString } from "@gatewright/ports";
import type { CreateLoadBalancerInput, Operations } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import { loadBalancerArn } from "./arn.ts";
import { MOST_BERTHS, freeBerth } from "./berth.ts";
import { canonicalZone } from "./canonical-zones.ts";
import type { Ground } from "./ground.ts";
import { newId } from "./id.ts";
import { removeListener } from "./listener-removal.ts";
import { loadBalancerAttribute } from "./load-balancer-attributes.ts";
import { loadBalancerShape, zoneShapes } from "./load-balancer-shape.ts";
import { page } from "./page.ts";
import type { LoadBalancerRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import { chosenSubnets } from "./subnets.ts";
import { withTags } from "./tag-rules.ts";

type Names =
  | "CreateLoadBalancer"
  | "DescribeLoadBalancers"
  | "DeleteLoadBalancer"
  | "SetSubnets"
  | "SetSecurityGroups"
  | "SetIpAddressType"
  | "DescribeCapacityReservation";

/** How long AWS takes to bring one up. */
const PROVISIONING_MS = { application: 150_000, network: 120_000 };

const IP_TYPES = {
  application: ["ipv4", "dualstack", "dualstack-without-public-ipv4"],
  network: ["ipv4", "dualstack"],
};

/** Makes, tells, changes and removes load balancers. */
export function loadBalancerOperations(ground: Ground): Handlers<Pick<Operations, Names>> {
  const { store, world, quotas } = ground;
  return {
    async CreateLoadBalancer(input, context) {
      const wanted = wantedLoadBalancer(ground, input, context);
      const existing = store.loadBalancersIn(context);
      const twin = existing.find(({ name }) => name === input.Name);
      if (twin !== undefined) {
        if (!sameSettings(twin, wanted)) {
          throw new AwsError(
            "DuplicateLoadBalancerName",
            `A load balancer with the same name '${input.Name}' exists, but with different settings`,
          );
        }
        return { LoadBalancers: [loadBalancerShape(twin, world.clock.now())] };
      }
      quotas.hold(
        wanted.type === "application" ? "application-load-balancers" : "network-load-balancers",
        existing.filter(({ type }) => type === wanted.type).length + 1,
        "TooManyLoadBalancers",
        "The maximum number of load balancers has been reached",
      );
      const tags = withTags([], input.Tags ?? []);
      const record = founded(ground, wanted, context);
      await store.commit((commit) => {
        commit.put(store.loadBalancers, record.arn, record);
        if (tags.length > 0) commit.put(store.tags, record.arn, tags);
      });
      return { LoadBalancers: [loadBalancerShape(record, world.clock.now())] };
    },

    DescribeLoadBalancers(input, context) {
      const { LoadBalancerArns: arns, Names: names } = input;
      if (arns !== undefined && names !== undefined) {
        throw invalid("Load balancer names and load balancer ARNs cannot be specified at the same time");
      }
      let found = store.loadBalancersIn(context);
      if (arns !== undefined) found = [...new Set(arns)].map((arn) => store.loadBalancer(context, arn));
      if (names !== undefined) {
        found = found.filter(({ name }) => names.includes(name));
        const missing = names.filter((name) => !found.some((record) => record.name === name));
        if (missing.length > 0) {
          throw new AwsError("LoadBalancerNotFound", `Load balancers '[${missing.join(", ")}]' not found`);
        }
      }
      const { items, nextMarker } = page(found, ({ arn }) => arn, input);
      return {
        LoadBalancers: items.map((record) => loadBalancerShape(record, world.clock.now())),
        ...(nextMarker !== undefined && { NextMarker: nextMarker }),
      };
    },

    /** One that is not there is as good as deleted, as on AWS. */
    async DeleteLoadBalancer({ LoadBalancerArn: arn }, context) {
      if (!arn.includes(":loadbalancer/")) throw invalid(`'${arn}' is not a valid load balancer ARN`);
      const record = store.loadBalancersIn(context).find((one) => one.arn === arn);
      if (record === undefined) return {};
      if (loadBalancerAttribute(record, "deletion_protection.enabled") === "true") {
        throw new AwsError(
          "OperationNotPermitted",
          `Load balancer '${arn}' cannot be deleted because deletion protection is enabled`,
        );
      }
      const asTarget = store.targets.list().find(([, target]) => target.id === arn && target.drainedAt === undefined);
      if (asTarget !== undefined) {
        throw new AwsError("ResourceInUse", `Load balancer '${arn}' is currently a target of a target group`);
      }
      await store.commit((commit) => {
        for (const listener of store.listenersOf(arn)) removeListener(store, commit, listener.arn);
        commit.delete(store.loadBalancers, arn);
        commit.delete(store.tags, arn);
      });
      return {};
    },

    async SetSubnets(input, context) {
      const record = store.loadBalancer(context, input.LoadBalancerArn);
      const { subnets, vpcId } = chosenSubnets(input, record.type, context, ground.subnetOf);
      const ipAddressType = input.IpAddressType ?? record.ipAddressType;
      checkIpType(record, ipAddressType);
      const next = { ...record, subnets, vpcId, ipAddressType };
      await store.commit((commit) => commit.put(store.loadBalancers, record.arn, next));
      return { AvailabilityZones: zoneShapes(next), IpAddressType: ipAddressType };
    },

    async SetSecurityGroups(input, context) {
      const record = store.loadBalancer(context, input.LoadBalancerArn);
      if (record.type === "network" && record.securityGroups.length === 0) {
        throw new AwsError(
          "InvalidConfigurationRequest",
          "A load balancer created without security groups cannot get any",
        );
      }
      if (record.type === "application" && input.SecurityGroups.length === 0) {
        throw invalid("An application load balancer needs a security group");
      }
      const next = { ...record, securityGroups: securityGroups(input.SecurityGroups) };
      await store.commit((commit) => commit.put(store.loadBalancers, record.arn, next));
      return { SecurityGroupIds: next.securityGroups };
    },

    async SetIpAddressType(input, context) {
      const record = store.loadBalancer(context, input.LoadBalancerArn);
      checkIpType(record, input.IpAddressType);
      const next = { ...record, ipAddressType: input.IpAddressType };
      await store.commit((commit) => commit.put(store.loadBalancers, record.arn, next));
      return { IpAddressType: next.ipAddressType };
    },

    /** Nothing is ever reserved here. */
    DescribeCapacityReservation(input, context) {
      const record = store.loadBalancer(context, input.LoadBalancerArn);
      return { DecreaseRequestsRemaining: 2, LastModifiedTime: record.createdAt, CapacityReservationState: [] };
    },
  };
}

type Wanted = Pick<
  LoadBalancerRecord,
  "name" | "type" | "scheme" | "ipAddressType" | "vpcId" | "subnets" | "securityGroups"
>;

function wantedLoadBalancer(ground: Ground, input: CreateLoadBalancerInput, context: CallContext): Wanted {
  const { Name: name, Type: type = "application", Scheme: scheme = "internet-facing" } = input;
  checkName(name);
  if (type !== "application" && type !== "network") {
    throw invalid(`Load balancer type '${type}' is not supported here; application and network are`);
  }
  if (scheme !== "internet-facing" && scheme !== "internal") {
    throw new AwsError("InvalidScheme", `Scheme '${scheme}' must be one of 'internet-facing, internal'`);
  }
  const { subnets, vpcId } = chosenSubnets(input, type, context, ground.subnetOf);
  const ipAddressType = input.IpAddressType ?? "ipv4";
  checkIpType({ type }, ipAddressType);
  const given = securityGroups(input.SecurityGroups ?? []);
  // Application load balancers get the default group of their VPC.
  const groups = given.length > 0 || type === "network" ? given : [`sg-${vpcId.slice("vpc-".length)}`];
  return { name, type, scheme, ipAddressType, vpcId, subnets, securityGroups: groups };
}

function founded(ground: Ground, wanted: Wanted, context: CallContext): LoadBalancerRecord {
  const { world, store } = ground;
  const id = newId(world.random);
  const suffix = context.region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const label = wanted.scheme === "internal" && wanted.type === "application" ? `internal-${wanted.name}` : wanted.name;
  const now = world.clock.now();
  const berth = freeBerth(store.loadBalancers.list().map(([, record]) => record.berth));
  if (berth >= MOST_BERTHS) {
    throw new AwsError("TooManyLoadBalancers", "This machine has no more loopback addresses for load balancers");
  }
  return {
    ...wanted,
    arn: loadBalancerArn(context, wanted.type, wanted.name, id),
    dnsName:
      wanted.type === "network"
        ? `${label}-${id}.elb.${context.region}.${suffix}`
        : `${label}-${randomString(world.random, "123456789", 1)}${randomString(world.random, "0123456789", 9)}.${context.region}.elb.${suffix}`,
    zoneId: canonicalZone(context.region, wanted.type),
    createdAt: now,
    activeAt: now + PROVISIONING_MS[wanted.type] * world.pace.durations,
    attributes: [],
    berth,
  };
}

function sameSettings(record: LoadBalancerRecord, wanted: Wanted): boolean {
  const facts = (one: Wanted): string =>
    JSON.stringify([
      one.type,
      one.scheme,
      one.ipAddressType,
      one.subnets.map(({ id }) => id).toSorted(),
      one.securityGroups.toSorted(),
    ]);
  return facts(record) === facts(wanted);
}

function checkName(name: string): void {
  if (name === "" || name.length > 32)
    throw invalid(`The load balancer name '${name}' cannot be longer than '32' characters`);
  if (!/^[A-Za-z0-9-]+$/.test(name)) {
    throw invalid(
      `The load balancer name '${name}' can only contain characters that are alphanumeric characters and hyphens(-)`,
    );
  }
  if (name.startsWith("-") || name.endsWith("-")) {
    throw invalid(`The load balancer name '${name}' cannot begin or end with a hyphen(-)`);
  }
  if (name.startsWith("internal-")) throw invalid(`The load balancer name '${name}' cannot begin with 'internal-'`);
}

function checkIpType({ type }: Pick<LoadBalancerRecord, "type">, ipAddressType: string): void {
  if (!IP_TYPES[type].includes(ipAddressType)) {
    throw invalid(`IP address type '${ipAddressType}' must be one of '${IP_TYPES[type].join(", ")}'`);
  }
}

function securityGroups(ids: readonly string[]): readonly string[] {
  for (const id of ids) {
    if (!/^sg-[0-9a-z-]{1,64}$/.test(id)) {
      throw new AwsError("InvalidSecurityGroup", `The security group ID '${id}' does not exist`);
    }
  }
  return [...new Set(ids)];
}
