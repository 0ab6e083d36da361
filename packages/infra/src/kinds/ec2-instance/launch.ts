import type { ec2 } from "@gatewright/aws";
import type { EC2Instance } from "@gatewright/resources";
import type { Creation } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { METADATA_OPTIONS } from "./machine.ts";
import { instances, isCode } from "./read.ts";
import type { MachineSpec } from "./volumes.ts";

/** How many instances of one token may have ended before anybody knew of them. */
const MOST_LAUNCHES = 5;

/**
 * Launches it, once for each token: AWS gives the instance that there is. A token whose instance was terminated is never good again;
 * the next one follows from it, so that there is still at most one that lives.
 */
export async function launchMachine(ground: Ground, creation: Creation<EC2Instance>): Promise<string> {
  const { aws, signal } = ground;
  const input = launchOf(creation);
  for (let launch = 1; ; launch++) {
    const ClientToken = launch === 1 ? creation.token : `${creation.token.slice(0, 61)}-${launch}`;
    try {
      const { Instances: [made] = [] } = await aws.ec2.runInstances({ ...input, ClientToken }, { signal });
      if (made?.InstanceId === undefined) throw new Error("EC2 launched nothing");
      return made.InstanceId;
    } catch (error) {
      if (isCode(error, "IdempotentInstanceTerminated") && launch < MOST_LAUNCHES) continue;
      // The spec changed since the first try, which succeeded without our knowing: that instance is the one, and is changed later.
      if (!isCode(error, "IdempotentParameterMismatch")) throw error;
      for await (const { InstanceId: id } of instances(ground, [{ Name: "client-token", Values: [ClientToken] }])) {
        if (id !== undefined) return id;
      }
      throw error;
    }
  }
}

function launchOf({ object: { spec }, wanted, tags }: Creation<EC2Instance>): ec2.RunInstancesRequest {
  const all = Object.entries({ ...tags, Name: String(wanted.get("instanceName")) });
  const Tags = all.map(([Key, Value]) => ({ Key, Value }));
  return {
    MinCount: 1,
    MaxCount: 1,
    ImageId: spec.imageID,
    InstanceType: spec.instanceType,
    TagSpecifications: ["instance", "volume", "network-interface"].map((ResourceType) => ({ ResourceType, Tags })),
    ...networkOf(spec),
    ...given("KeyName", spec.keyName),
    ...given("EbsOptimized", spec.ebsOptimized),
    ...given("DisableApiTermination", spec.disableApiTermination),
    ...given("DisableApiStop", spec.disableApiStop),
    ...given("InstanceInitiatedShutdownBehavior", spec.instanceInitiatedShutdownBehavior),
    ...(spec.monitoring !== undefined && { Monitoring: { Enabled: spec.monitoring } }),
    ...(spec.userData !== undefined && { UserData: Buffer.from(spec.userData).toString("base64") }),
    ...(spec.iamInstanceProfile !== undefined && { IamInstanceProfile: profileOf(spec.iamInstanceProfile) }),
    // Our tags have keys that the metadata service cannot tell, and an account's default may be that it tells them.
    MetadataOptions: metadataOf({ instanceMetadataTags: "disabled", ...spec.metadataOptions }),
    ...(spec.blockDeviceMappings !== undefined && { BlockDeviceMappings: volumesOf(spec.blockDeviceMappings) }),
  };
}

/** Whether there is a public address is said of the network interface, and then so is all that is said of the network. */
function networkOf(spec: MachineSpec): Partial<ec2.RunInstancesRequest> {
  const { subnetID, securityGroupIDs, privateIpAddress, associatePublicIpAddress } = spec;
  const groups = securityGroupIDs && [...securityGroupIDs];
  if (associatePublicIpAddress === undefined) {
    return {
      ...given("SubnetId", subnetID),
      ...given("SecurityGroupIds", groups),
      ...given("PrivateIpAddress", privateIpAddress),
    };
  }
  return {
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        AssociatePublicIpAddress: associatePublicIpAddress,
        ...given("SubnetId", subnetID),
        ...given("Groups", groups),
        ...given("PrivateIpAddress", privateIpAddress),
      },
    ],
  };
}

function volumesOf(mappings: NonNullable<MachineSpec["blockDeviceMappings"]>): ec2.BlockDeviceMapping[] {
  return mappings.flatMap(({ deviceName, ebs }) =>
    ebs === undefined
      ? []
      : [
          {
            DeviceName: deviceName,
            Ebs: {
              VolumeSize: ebs.volumeSize,
              VolumeType: ebs.volumeType,
              DeleteOnTermination: ebs.deleteOnTermination,
              ...given("Iops", ebs.iops),
              ...given("Throughput", ebs.throughput),
              ...given("Encrypted", ebs.encrypted),
              ...given("KmsKeyId", ebs.kmsKeyID),
            },
          },
        ],
  );
}

/** The profile as requests name it. */
export function profileOf(profile: string): ec2.IamInstanceProfileSpecification {
  return profile.startsWith("arn:") ? { Arn: profile } : { Name: profile };
}

/** What the spec says of the metadata service, as requests have it. */
function metadataOf(options: NonNullable<MachineSpec["metadataOptions"]>): ec2.InstanceMetadataOptionsRequest {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [METADATA_OPTIONS[name as keyof typeof METADATA_OPTIONS], value]),
  );
}

function given<N extends string, V>(name: N, value: V | undefined): { readonly [Name in N]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Name in N]?: V });
}
