import type { Instance, Reservation } from "@gatewright/aws-wire/types/ec2";
import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import { stateAt, stateTold } from "./instance-life.ts";
import { instanceType } from "./instance-types.ts";
import { networkInterfaceTold } from "./network-interface-shape.ts";
import type { InstanceRecord } from "./records.ts";
import { zoneIdOf } from "./regions.ts";
import { tagList } from "./tags.ts";

/** A reservation: what one launch made, or as much of it as is shown. */
export function reservationTold(ground: Ground, place: Place, instances: readonly InstanceRecord[]): Reservation {
  return {
    ReservationId: instances[0]?.reservationId,
    OwnerId: place.account,
    Groups: [],
    Instances: instances.map((instance) => instanceTold(ground, place, instance)),
  };
}

/** All that is told of an instance. A terminated one has neither addresses nor disks. */
function instanceTold({ store, world, images }: Ground, place: Place, record: InstanceRecord): Instance {
  const state = stateAt(record.life, world.clock.now());
  const name = state === "gone" ? "terminated" : state;
  const image = images.find(({ id }) => id === record.imageId);
  const type = instanceType(record.type);
  const running = name === "running";
  const ended = name === "terminated";
  const { reason } = record.life;
  const groups = record.groups.map((id) => ({ GroupId: id, GroupName: store.groups.get(place, id)?.name }));
  const privateName = `ip-${record.privateIp.replaceAll(".", "-")}.${place.region === "us-east-1" ? "ec2.internal" : `${place.region}.compute.internal`}`;
  const publicIp = running ? record.publicIp : undefined;
  const publicName =
    publicIp === undefined
      ? ""
      : `ec2-${publicIp.replaceAll(".", "-")}.${place.region === "us-east-1" ? "compute-1" : `${place.region}.compute`}.amazonaws.com`;
  return {
    InstanceId: record.id,
    ImageId: record.imageId,
    InstanceType: record.type,
    State: stateTold(name),
    StateTransitionReason: reason === undefined ? "" : `User initiated (${stamp(record.life.since)})`,
    ...(reason && { StateReason: { Code: reason.code, Message: reason.message } }),
    ...(name === "pending" && { StateReason: { Code: "pending", Message: "pending" } }),
    LaunchTime: record.launchedAt,
    AmiLaunchIndex: record.launchIndex,
    ClientToken: record.clientToken,
    ...(record.keyName !== undefined && { KeyName: record.keyName }),
    Architecture: type?.architecture,
    Hypervisor: "xen",
    VirtualizationType: "hvm",
    RootDeviceName: image?.rootDevice ?? "/dev/xvda",
    RootDeviceType: "ebs",
    PlatformDetails: image?.platform === "windows" ? "Windows" : "Linux/UNIX",
    ...(image?.platform && { Platform: image.platform }),
    UsageOperation: "RunInstances",
    EnaSupport: true,
    EbsOptimized: record.ebsOptimized,
    ...(type && { CpuOptions: { CoreCount: Math.max(1, type.vcpus / 2), ThreadsPerCore: Math.min(2, type.vcpus) } }),
    Monitoring: { State: record.monitoring ? "enabled" : "disabled" },
    Placement: {
      AvailabilityZone: record.zone,
      AvailabilityZoneId: zoneIdOf(place.region, record.zone),
      GroupName: "",
      Tenancy: record.tenancy,
    },
    MetadataOptions: record.metadataOptions,
    HibernationOptions: { Configured: false },
    EnclaveOptions: { Enabled: false },
    MaintenanceOptions: { AutoRecovery: "default" },
    ProductCodes: [],
    PublicDnsName: publicName,
    PrivateDnsName: ended ? "" : privateName,
    ...(record.profile && { IamInstanceProfile: { Arn: record.profile.arn, Id: record.profile.id } }),
    SecurityGroups: ended ? [] : groups,
    ...(!ended && {
      SubnetId: record.subnetId,
      VpcId: record.vpcId,
      PrivateIpAddress: record.privateIp,
      SourceDestCheck: record.sourceDestCheck,
      NetworkInterfaces: [
        networkInterfaceTold(place, record, groups, { private: privateName, public: publicName }, publicIp),
      ],
    }),
    ...(publicIp !== undefined && { PublicIpAddress: publicIp }),
    BlockDeviceMappings: ended
      ? []
      : record.volumes.flatMap(({ device, volumeId }) => {
          const volume = store.volumes.get(place, volumeId);
          return volume === undefined
            ? []
            : [
                {
                  DeviceName: device,
                  Ebs: {
                    VolumeId: volumeId,
                    Status: name === "pending" ? "attaching" : "attached",
                    AttachTime: volume.createdAt,
                    DeleteOnTermination: volume.deleteOnTermination,
                  },
                },
              ];
        }),
    Tags: tagList(store.tags.get(place, record.id) ?? []),
  };
}

function stamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} GMT`;
}
