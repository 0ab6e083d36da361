import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { chosen } from "./chosen.ts";
import type { Place } from "./ec2-store.ts";
import { filtered } from "./filters.ts";
import type { FilterTable } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { stateAt, stateTold } from "./instance-life.ts";
import type { StateName } from "./instance-life.ts";
import { reservationTold } from "./instance-shape.ts";
import { instanceType } from "./instance-types.ts";
import { livingInstances } from "./living-instances.ts";
import { page } from "./page.ts";
import type { InstanceRecord } from "./records.ts";

/** How long the checks of a new instance take. */
const CHECKS_MS = 120_000;

/** Instances are looked for and looked at. */
export function describeInstances(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  const tagsOf = (place: Place) => (record: InstanceRecord) => store.tags.get(place, record.id) ?? [];
  return {
    DescribeInstances(input, context) {
      checkPaging(input.InstanceIds, input.MaxResults, "instancesSet");
      const named = chosen("instance", livingInstances(ground, context), ({ id }) => id, input.InstanceIds);
      const found = filtered(named, input.Filters, instanceFilters(ground, context), tagsOf(context));
      const { items, next } = page(found, orderOf, input);
      const reservations = new Map<string, InstanceRecord[]>();
      for (const record of items) {
        reservations.set(record.reservationId, [...(reservations.get(record.reservationId) ?? []), record]);
      }
      return {
        Reservations: [...reservations.values()].map((instances) => reservationTold(ground, context, instances)),
        ...next,
      };
    },

    DescribeInstanceStatus(input, context) {
      checkPaging(input.InstanceIds, input.MaxResults, "InstanceIds");
      const now = world.clock.now();
      const named = chosen("instance", livingInstances(ground, context), ({ id }) => id, input.InstanceIds).filter(
        ({ life }) => input.IncludeAllInstances === true || stateAt(life, now) === "running",
      );
      const found = filtered(named, input.Filters, instanceFilters(ground, context), tagsOf(context));
      const { items, next } = page(found, orderOf, input);
      return {
        InstanceStatuses: items.map(({ id, zone, life }) => {
          const state = stateAt(life, now);
          const checked = now >= life.until + CHECKS_MS * world.pace.durations;
          const status = state !== "running" ? "not-applicable" : checked ? "ok" : "initializing";
          const summary = {
            Status: status,
            Details:
              status === "not-applicable"
                ? []
                : [{ Name: "reachability", Status: checked ? "passed" : "initializing" }],
          };
          return {
            InstanceId: id,
            AvailabilityZone: zone,
            InstanceState: stateTold(state === "gone" ? "terminated" : state),
            InstanceStatus: summary,
            SystemStatus: summary,
          };
        }),
        ...next,
      };
    },
  };
}

function instanceFilters({ store, world }: Ground, place: Place): FilterTable<InstanceRecord> {
  const now = world.clock.now();
  const stateOf = ({ life }: InstanceRecord): StateName => {
    const state = stateAt(life, now);
    return state === "gone" ? "terminated" : state;
  };
  const table: readonly (readonly [
    string,
    (record: InstanceRecord) => readonly (string | number | boolean | undefined)[],
  ])[] = [
    ["instance-id", ({ id }) => [id]],
    ["client-token", ({ clientToken }) => [clientToken]],
    ["instance-state-name", (record) => [stateOf(record)]],
    ["instance-state-code", (record) => [stateTold(stateOf(record)).Code]],
    ["instance-type", ({ type }) => [type]],
    ["image-id", ({ imageId }) => [imageId]],
    ["key-name", ({ keyName }) => [keyName]],
    ["vpc-id", ({ vpcId }) => [vpcId]],
    ["subnet-id", ({ subnetId }) => [subnetId]],
    ["availability-zone", ({ zone }) => [zone]],
    ["reservation-id", ({ reservationId }) => [reservationId]],
    ["owner-id", () => [place.account]],
    ["instance.group-id", ({ groups }) => groups],
    ["group-id", ({ groups }) => groups],
    ["instance.group-name", ({ groups }) => groups.map((id) => store.groups.get(place, id)?.name)],
    ["private-ip-address", ({ privateIp }) => [privateIp]],
    ["ip-address", ({ publicIp }) => [publicIp]],
    ["network-interface.network-interface-id", ({ interfaceId }) => [interfaceId]],
    ["network-interface.subnet-id", ({ subnetId }) => [subnetId]],
    ["architecture", ({ type }) => [instanceType(type)?.architecture]],
    ["tenancy", ({ tenancy }) => [tenancy]],
    ["monitoring-state", ({ monitoring }) => [monitoring ? "enabled" : "disabled"]],
    ["iam-instance-profile.arn", ({ profile }) => [profile?.arn]],
    ["root-device-type", () => ["ebs"]],
    ["launch-time", ({ launchedAt }) => [new Date(launchedAt).toISOString()]],
    ["block-device-mapping.volume-id", ({ volumes }) => volumes.map(({ volumeId }) => volumeId)],
  ];
  return new Map(table);
}

function checkPaging(ids: readonly string[] | undefined, most: number | undefined, name: string): void {
  if (ids !== undefined && ids.length > 0 && most !== undefined) {
    throw new AwsError(
      "InvalidParameterCombination",
      `The parameter ${name} cannot be used with the parameter maxResults`,
    );
  }
}

/** Oldest first; those of one launch stay together. */
function orderOf({ createdAt, reservationId, launchIndex }: InstanceRecord): string {
  return `${String(createdAt).padStart(16, "0")} ${reservationId} ${String(launchIndex).padStart(4, "0")}`;
}
