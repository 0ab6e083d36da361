import type {
  BlockDeviceMapping,
  InstanceMetadataOptionsResponse,
  RunInstancesRequest,
} from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import { kmsKeyArn } from "../kms-key.ts";
import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import { checkId, notFound } from "./ids.ts";
import type { MachineImage } from "./images.ts";
import { launchableType } from "./instance-types.ts";
import type { GroupRecord, SubnetRecord, VolumeRecord } from "./records.ts";
import { checkVolume } from "./volume-rules.ts";

const MOST_USER_DATA_BYTES = 16_384;

/** A disk that comes with an instance. */
export type Disk = Pick<
  VolumeRecord,
  "device" | "size" | "type" | "iops" | "throughput" | "encrypted" | "kmsKeyId" | "snapshotId" | "deleteOnTermination"
>;

/** What a launch asks for, once it is known that it can be had. */
export interface Wishes {
  readonly image: MachineImage;
  readonly type: string;
  readonly subnet: SubnetRecord;
  readonly groups: readonly string[];
  readonly publicAddress: boolean;
  readonly privateAddress: string | undefined;
  readonly disks: readonly Disk[];
  readonly metadataOptions: InstanceMetadataOptionsResponse;
}

/** Reads a launch, and refuses what cannot be. */
export function wishesOf(ground: Ground, input: RunInstancesRequest, place: Place): Wishes {
  checkCounts(input);
  checkUserData(input.UserData);
  const image = imageOf(ground, input.ImageId);
  const type = launchableType(input.InstanceType ?? "m1.small");
  if (type.architecture !== image.architecture) {
    throw new AwsError(
      "InvalidParameterValue",
      `The architecture '${type.architecture}' of the specified instance type does not match the architecture '${image.architecture}' of the specified AMI. Specify an instance type and an AMI that have matching architectures, and try again.`,
    );
  }
  if (input.KeyName !== undefined && ground.store.keys.get(place, input.KeyName) === undefined) {
    throw notFound("key-pair", [input.KeyName]);
  }
  const [card, ...more] = input.NetworkInterfaces ?? [];
  if (more.length > 0)
    throw new AwsError("UnsupportedOperation", "Instances with several network interfaces are not supported here.");
  if (card !== undefined && (input.SubnetId !== undefined || input.SecurityGroupIds !== undefined)) {
    throw new AwsError(
      "InvalidParameterCombination",
      "Network interfaces and an instance-level subnet ID or security groups may not be specified on the same request",
    );
  }
  const subnet = subnetOf(ground, place, card?.SubnetId ?? input.SubnetId, input.Placement?.AvailabilityZone);
  return {
    image,
    type: type.name,
    subnet,
    groups: groupsOf(ground, place, card?.Groups ?? input.SecurityGroupIds, input.SecurityGroups, subnet.vpcId),
    publicAddress: card?.AssociatePublicIpAddress ?? subnet.isDefault,
    privateAddress: card?.PrivateIpAddress ?? input.PrivateIpAddress,
    disks: disksOf(place, image, input.BlockDeviceMappings ?? []),
    metadataOptions: {
      State: "applied",
      HttpTokens: input.MetadataOptions?.HttpTokens ?? (image.imdsV2 === false ? "optional" : "required"),
      HttpPutResponseHopLimit: input.MetadataOptions?.HttpPutResponseHopLimit ?? (image.imdsV2 === false ? 1 : 2),
      HttpEndpoint: input.MetadataOptions?.HttpEndpoint ?? "enabled",
      HttpProtocolIpv6: input.MetadataOptions?.HttpProtocolIpv6 ?? "disabled",
      InstanceMetadataTags: input.MetadataOptions?.InstanceMetadataTags ?? ground.metadataTags,
    },
  };
}

function checkCounts({ MinCount: least, MaxCount: most }: RunInstancesRequest): void {
  if (least < 1)
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${least}) for parameter minCount is invalid. Expected a number greater than 0.`,
    );
  if (most < least) {
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${most}) for parameter maxCount is invalid. It must be at least minCount.`,
    );
  }
  if (most > 1000)
    throw new AwsError(
      "InstanceLimitExceeded",
      `You have requested more instances (${most}) than your current instance limit of 1000 allows.`,
    );
}

/** Base64 on the wire. */
export function checkUserData(userData: string | undefined): void {
  if (userData === undefined) return;
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(userData))
    throw new AwsError("InvalidUserData.Malformed", "Invalid BASE64 encoding of user data");
  if (Buffer.from(userData, "base64").length > MOST_USER_DATA_BYTES) {
    throw new AwsError("InvalidParameterValue", `User data is limited to ${MOST_USER_DATA_BYTES} bytes`);
  }
}

function imageOf({ images }: Ground, id: string | undefined): MachineImage {
  if (id === undefined) throw new AwsError("MissingParameter", "The request must contain the parameter ImageId");
  checkId("image", id);
  const image = images.find((one) => one.id === id);
  if (image === undefined) throw notFound("image", [id]);
  return image;
}

function subnetOf({ store }: Ground, place: Place, id: string | undefined, zone: string | undefined): SubnetRecord {
  if (id !== undefined) {
    checkId("subnet", id);
    const subnet = store.subnets.get(place, id);
    if (subnet === undefined) throw notFound("subnet", [id]);
    if (zone !== undefined && zone !== subnet.zone) {
      throw new AwsError("InvalidParameterValue", `The availability zone '${zone}' is not that of the subnet '${id}'.`);
    }
    return subnet;
  }
  const usual = store.subnets
    .list(place)
    .filter(({ isDefault }) => isDefault)
    .toSorted((one, other) => (one.zone < other.zone ? -1 : 1));
  const subnet = usual.find((one) => zone === undefined || one.zone === zone);
  if (subnet !== undefined) return subnet;
  if (usual.length > 0) throw new AwsError("InvalidParameterValue", `Invalid availability zone: [${zone ?? ""}]`);
  throw new AwsError(
    "VPCIdNotSpecified",
    "No default VPC for this user. GroupName is only supported for EC2-Classic and default VPC.",
  );
}

function groupsOf(
  { store }: Ground,
  place: Place,
  ids: readonly string[] | undefined,
  names: readonly string[] | undefined,
  vpcId: string,
): readonly string[] {
  const inVpc = store.groups.list(place).filter((group) => group.vpcId === vpcId);
  const named = (names ?? []).map((name) => inVpc.find((group) => group.name === name) ?? name);
  const known = (ids ?? []).map((id) => {
    checkId("security-group", id);
    return store.groups.get(place, id) ?? id;
  });
  const all = [...known, ...named];
  if (all.length === 0) return inVpc.filter(({ name }) => name === "default").map(({ id }) => id);
  return [...new Set(all.map((group) => idIn(group, vpcId)))];
}

function idIn(group: GroupRecord | string, vpcId: string): string {
  if (typeof group === "string") throw notFound("security-group", [group]);
  if (group.vpcId !== vpcId) {
    throw new AwsError("InvalidParameter", `Security group ${group.id} and subnet belong to different networks.`);
  }
  return group.id;
}

/** The disk of the image, as the request would have it, and others. */
function disksOf(place: Place, image: MachineImage, mappings: readonly BlockDeviceMapping[]): readonly Disk[] {
  const root = image.rootDevice ?? "/dev/xvda";
  const own: BlockDeviceMapping = { DeviceName: root, Ebs: { VolumeSize: image.size ?? 8 } };
  const all = mappings.some(({ DeviceName: device }) => device === root) ? mappings : [own, ...mappings];
  return all.flatMap(({ DeviceName: device, Ebs: ebs, NoDevice: none }) => {
    if (none !== undefined || ebs === undefined) return [];
    if (device === undefined)
      throw new AwsError("MissingParameter", "The request must contain the parameter deviceName");
    const smallest = device === root ? (image.size ?? 8) : undefined;
    const size = ebs.VolumeSize ?? smallest;
    if (size === undefined)
      throw new AwsError("MissingParameter", "The request must contain the parameter size or snapshotId");
    if (smallest !== undefined && size < smallest) {
      throw new AwsError(
        "InvalidBlockDeviceMapping",
        `Volume of size ${size}GB is smaller than snapshot '${image.id.replace("ami-", "snap-")}', expect size >= ${smallest}GB`,
      );
    }
    const type = ebs.VolumeType ?? "gp3";
    const disk: Disk = {
      device,
      size,
      type,
      iops: ebs.Iops ?? (type === "gp3" ? 3000 : type === "gp2" ? Math.max(100, size * 3) : undefined),
      throughput: ebs.Throughput ?? (type === "gp3" ? 125 : undefined),
      encrypted: ebs.Encrypted ?? false,
      kmsKeyId: ebs.KmsKeyId && kmsKeyArn(place, ebs.KmsKeyId),
      snapshotId: ebs.SnapshotId ?? (device === root ? image.id.replace("ami-", "snap-") : undefined),
      deleteOnTermination: ebs.DeleteOnTermination ?? true,
    };
    checkVolume(disk);
    return [disk];
  });
}
