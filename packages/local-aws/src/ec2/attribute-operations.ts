import type { ModifyInstanceAttributeRequest, Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import { checkId, notFound } from "./ids.ts";
import { stateAt } from "./instance-life.ts";
import { instanceType, launchableType } from "./instance-types.ts";
import { checkUserData } from "./launch-wishes.ts";
import { instanceFor, instancesFor } from "./living-instances.ts";
import type { InstanceRecord } from "./records.ts";
import { checkTellable } from "./tags.ts";

/** What can be asked of an instance and changed of it, one attribute at a time. */
export function attributeOperations(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  const monitored = async (ids: readonly string[], place: Place, monitoring: boolean) => {
    const all = instancesFor(ground, place, ids);
    await store.commit((commit) => {
      for (const one of all) store.instances.put(commit, place, one.id, { ...one, monitoring });
    });
    return {
      InstanceMonitorings: all.map(({ id, monitoring: before }) => ({
        InstanceId: id,
        Monitoring: {
          State: before === monitoring ? (monitoring ? "enabled" : "disabled") : monitoring ? "pending" : "disabling",
        },
      })),
    };
  };
  return {
    DescribeInstanceAttribute(input, context) {
      const one = instanceFor(ground, context, input.InstanceId);
      return { InstanceId: one.id, ...attributeTold(ground, context, one, input.Attribute) };
    },

    async ModifyInstanceAttribute(input, context) {
      const instance = instanceFor(ground, context, input.InstanceId);
      const { record, flags } = changed(ground, context, instance, input);
      await store.commit((commit) => {
        store.instances.put(commit, context, record.id, record);
        for (const [device, deleteOnTermination] of flags) {
          const volumeId = record.volumes.find((one) => one.device === device)?.volumeId ?? "";
          const volume = store.volumes.get(context, volumeId);
          if (volume) store.volumes.put(commit, context, volumeId, { ...volume, deleteOnTermination });
        }
      });
      return {};
    },

    async ModifyInstanceMetadataOptions(input, context) {
      const instance = instanceFor(ground, context, input.InstanceId);
      const hops = input.HttpPutResponseHopLimit;
      if (hops !== undefined && (hops < 1 || hops > 64)) {
        throw new AwsError(
          "InvalidParameterValue",
          `Value (${hops}) for parameter HttpPutResponseHopLimit is invalid. It must be between 1 and 64.`,
        );
      }
      const { InstanceId: _, DryRun: __, ...given } = input;
      const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const metadataOptions = { ...instance.metadataOptions, ...wanted };
      checkTellable(metadataOptions, store.tags.get(context, instance.id) ?? []);
      await store.commit((commit) =>
        store.instances.put(commit, context, instance.id, { ...instance, metadataOptions }),
      );
      return { InstanceId: instance.id, InstanceMetadataOptions: { ...metadataOptions, State: "pending" } };
    },

    MonitorInstances: (input, context) => monitored(input.InstanceIds, context, true),
    UnmonitorInstances: (input, context) => monitored(input.InstanceIds, context, false),
  };
}

function attributeTold(
  { store, images }: Ground,
  place: Place,
  one: InstanceRecord,
  attribute: string,
): Operations["DescribeInstanceAttribute"]["output"] {
  switch (attribute) {
    case "instanceType":
      return { InstanceType: { Value: one.type } };
    case "userData":
      return { UserData: one.userData === undefined ? {} : { Value: one.userData } };
    case "disableApiTermination":
      return { DisableApiTermination: { Value: one.noTermination } };
    case "disableApiStop":
      return { DisableApiStop: { Value: one.noStop } };
    case "instanceInitiatedShutdownBehavior":
      return { InstanceInitiatedShutdownBehavior: { Value: one.shutdownBehavior } };
    case "sourceDestCheck":
      return { SourceDestCheck: { Value: one.sourceDestCheck } };
    case "ebsOptimized":
      return { EbsOptimized: { Value: one.ebsOptimized } };
    case "enaSupport":
      return { EnaSupport: { Value: true } };
    case "groupSet":
      return { Groups: one.groups.map((id) => ({ GroupId: id, GroupName: store.groups.get(place, id)?.name })) };
    case "rootDeviceName":
      return { RootDeviceName: { Value: images.find(({ id }) => id === one.imageId)?.rootDevice ?? "/dev/xvda" } };
    case "blockDeviceMapping":
      return {
        BlockDeviceMappings: one.volumes.map(({ device, volumeId }) => ({
          DeviceName: device,
          Ebs: {
            VolumeId: volumeId,
            Status: "attached",
            DeleteOnTermination: store.volumes.get(place, volumeId)?.deleteOnTermination,
          },
        })),
      };
    case "kernel":
    case "ramdisk":
    case "sriovNetSupport":
    case "productCodes":
    case "enclaveOptions":
      return {};
    default:
      throw new AwsError(
        "InvalidParameterValue",
        `Value (${attribute}) for parameter attribute is invalid. Unknown attribute.`,
      );
  }
}

/** The instance with the one attribute changed, and what becomes of its disks. */
function changed(
  ground: Ground,
  place: Place,
  instance: InstanceRecord,
  input: ModifyInstanceAttributeRequest,
): {
  readonly record: InstanceRecord;
  readonly flags: readonly (readonly [device: string, deleteOnTermination: boolean])[];
} {
  const { InstanceId: _, DryRun: __, Attribute: named, Value: value, ...rest } = input;
  const given = Object.entries(rest).filter(([, part]) => part !== undefined);
  const [first, ...more] =
    named === undefined
      ? given.map(([name]) => name.charAt(0).toLowerCase() + name.slice(1))
      : [named, ...given.map(([name]) => name)];
  if (first === undefined || more.length > 0) {
    throw new AwsError(
      "InvalidParameterCombination",
      first === undefined
        ? "No attributes specified."
        : "Fields for multiple attribute types specified: only one is allowed.",
    );
  }
  const yes = (typed: { readonly Value?: boolean | undefined } | undefined): boolean =>
    typed?.Value ?? value === "true";
  const text = (typed: { readonly Value?: string | undefined } | undefined): string => typed?.Value ?? value ?? "";
  const asleep = (): void => {
    if (stateAt(instance.life, ground.world.clock.now()) !== "stopped") {
      throw new AwsError("IncorrectInstanceState", `The instance '${instance.id}' is not in the 'stopped' state.`);
    }
  };
  const becomes = (change: Partial<InstanceRecord>) => ({ record: { ...instance, ...change }, flags: [] });
  switch (first) {
    case "instanceType": {
      const type = launchableType(text(input.InstanceType));
      asleep();
      if (type.architecture !== instanceType(instance.type)?.architecture) {
        throw new AwsError(
          "InvalidParameterValue",
          `The architecture '${type.architecture}' of the specified instance type does not match that of the instance.`,
        );
      }
      return becomes({ type: type.name });
    }
    case "userData": {
      const bytes = input.UserData?.Value;
      const userData = bytes === undefined ? (value ?? "") : Buffer.from(bytes).toString("base64");
      checkUserData(userData);
      asleep();
      return becomes({ userData });
    }
    case "ebsOptimized":
      asleep();
      return becomes({ ebsOptimized: yes(input.EbsOptimized) });
    case "enaSupport":
    case "sriovNetSupport":
    case "kernel":
    case "ramdisk":
      asleep();
      return becomes({});
    case "disableApiTermination":
      return becomes({ noTermination: yes(input.DisableApiTermination) });
    case "disableApiStop":
      return becomes({ noStop: yes(input.DisableApiStop) });
    case "sourceDestCheck":
      return becomes({ sourceDestCheck: yes(input.SourceDestCheck) });
    case "instanceInitiatedShutdownBehavior": {
      const behavior = text(input.InstanceInitiatedShutdownBehavior);
      if (behavior !== "stop" && behavior !== "terminate") {
        throw new AwsError(
          "InvalidParameterValue",
          `Value (${behavior}) for parameter instanceInitiatedShutdownBehavior is invalid.`,
        );
      }
      return becomes({ shutdownBehavior: behavior });
    }
    case "groups":
    case "groupSet":
      return becomes({ groups: groupsOf(ground, place, instance, input.Groups ?? []) });
    case "blockDeviceMappings":
    case "blockDeviceMapping":
      return {
        record: instance,
        flags: (input.BlockDeviceMappings ?? []).map(
          ({ DeviceName: device = "", Ebs: ebs }) => [device, ebs?.DeleteOnTermination ?? false] as const,
        ),
      };
    default:
      throw new AwsError(
        "InvalidParameterValue",
        `Value (${first}) for parameter attribute is invalid. Unknown attribute.`,
      );
  }
}

function groupsOf(
  { store }: Ground,
  place: Place,
  { vpcId }: InstanceRecord,
  ids: readonly string[],
): readonly string[] {
  if (ids.length === 0) throw new AwsError("InvalidParameterValue", "You must specify at least one security group.");
  for (const id of ids) {
    checkId("security-group", id);
    const group = store.groups.get(place, id);
    if (group === undefined) throw notFound("security-group", [id]);
    if (group.vpcId !== vpcId) {
      throw new AwsError(
        "InvalidGroup.NotFound",
        `You have specified two resources that belong to different networks.`,
      );
    }
  }
  return [...new Set(ids)];
}
