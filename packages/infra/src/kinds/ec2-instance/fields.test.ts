import {
  CreateSecurityGroupCommand,
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  EC2Client,
} from "@aws-sdk/client-ec2";
import type { InstanceAttributeName } from "@aws-sdk/client-ec2";
import type { JsonObject } from "@gatewright/kube";
import { EC2Instance } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import { fieldsRoundTrip } from "../testing/fields-round-trip.ts";
import type { KindStage } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import { ec2Instance } from "./index.ts";

/** Filled when the groups are made. */
const groups: string[] = [];
const one: string[] = [];
const other: string[] = [];

const each = (name: string, ...values: readonly JsonObject[string][]): JsonObject[] =>
  values.map((value) => ({ [name]: value }));
const options = (name: string, ...values: readonly JsonObject[string][]): JsonObject[] =>
  values.map((value) => ({ metadataOptions: { [name]: value } }));
const disk = (ebs: JsonObject): JsonObject => ({
  blockDeviceMappings: [{ deviceName: "/dev/sdf", ebs: { volumeSize: 500, ...ebs } }],
});
const GP3 = { volumeType: "gp3", iops: 3000, throughput: 125 };

/** Says all that stays as it is when it leaves the spec, so that leaving out a piece is going back to this. */
const BASE: JsonObject = {
  instanceType: "t3.micro",
  imageID: "ami-0a1b2c3d4e5f60001",
  securityGroupIDs: groups,
  metadataOptions: {
    httpTokens: "required",
    httpEndpoint: "enabled",
    httpPutResponseHopLimit: 2,
    httpProtocolIpv6: "disabled",
    instanceMetadataTags: "disabled",
  },
  ...disk(GP3),
  allowStopForChanges: true,
};

fieldsRoundTrip({
  kind: anyKind(ec2Instance),
  definition: EC2Instance,
  open: () => kindWorld({ listening: true, pace: { durations: 0, lag: false } }),
  base: (number) => ({ instanceName: `sample-${number}`, ...BASE }),
  samples: {
    instanceName: each("instanceName", "first", "second", "third"),
    instanceType: each("instanceType", "t3.small", "m7i.large", "c7i.xlarge"),
    securityGroupIDs: [{ securityGroupIDs: one }, { securityGroupIDs: other }, { securityGroupIDs: groups }],
    sourceDestCheck: each("sourceDestCheck", false, true),
    iamInstanceProfile: each(
      "iamInstanceProfile",
      "web",
      "worker",
      "arn:aws:iam::000000000000:instance-profile/path/bastion",
    ),
    userData: each("userData", "#!/bin/sh\necho one\n", "#cloud-config\n{}\n", "ünïcödé"),
    ebsOptimized: each("ebsOptimized", true, false),
    monitoring: each("monitoring", true, false),
    disableApiTermination: each("disableApiTermination", true, false),
    disableApiStop: each("disableApiStop", true, false),
    instanceInitiatedShutdownBehavior: each("instanceInitiatedShutdownBehavior", "terminate", "stop"),
    "metadataOptions.httpTokens": options("httpTokens", "optional", "required"),
    "metadataOptions.httpEndpoint": options("httpEndpoint", "disabled", "enabled"),
    "metadataOptions.httpPutResponseHopLimit": options("httpPutResponseHopLimit", 1, 64, 3),
    "metadataOptions.httpProtocolIpv6": options("httpProtocolIpv6", "enabled", "disabled"),
    blockDeviceMappings: [
      disk({ ...GP3, iops: 4000 }),
      disk({ ...GP3, throughput: 250 }),
      disk({ volumeType: "io1", iops: 5000 }),
      disk({ volumeType: "st1" }),
    ],
    "blockDeviceMappings.deleteOnTermination": [
      disk({ ...GP3, deleteOnTermination: false }),
      disk({ ...GP3, deleteOnTermination: true }),
    ],
  },
  twoValued: [
    "instanceInitiatedShutdownBehavior",
    "metadataOptions.httpTokens",
    "metadataOptions.httpEndpoint",
    "metadataOptions.httpProtocolIpv6",
    "blockDeviceMappings.deleteOnTermination",
  ],
  except: {
    allowStopForChanges: "says when, and not what: tested by itself",
    state: "who says nothing of it leaves it as it is: tested by itself",
    "metadataOptions.instanceMetadataTags": "only disabled is admitted: tested by itself",
  },
  async prepare(stage) {
    for (const name of ["first", "second", "third"]) {
      const made = client(stage).send(new CreateSecurityGroupCommand({ GroupName: name, Description: name }));
      groups.push((await stage.passing(made)).GroupId ?? "");
    }
    one.push(...groups.slice(0, 1));
    other.push(...groups.slice(1));
  },
  look,
});

const clients = new WeakMap<KindStage, EC2Client>();

/** A client learns the server's clock from its answers, which is not the stage's: before each call it is told. */
function client(stage: KindStage): EC2Client {
  const known = clients.get(stage) ?? new EC2Client(stage.sdk());
  clients.set(stage, known);
  known.config.systemClockOffset = stage.sdk().systemClockOffset;
  return known;
}

const ATTRIBUTES: readonly InstanceAttributeName[] = [
  "userData",
  "disableApiTermination",
  "disableApiStop",
  "instanceInitiatedShutdownBehavior",
];

/** All that AWS tells of an instance and its volumes, but for what is its own and what time does. */
async function look(stage: KindStage, id: string): Promise<unknown> {
  const ec2 = (): EC2Client => client(stage);
  const { Reservations: all = [] } = await ec2().send(new DescribeInstancesCommand({ InstanceIds: [id] }));
  const told = all[0]?.Instances?.[0];
  const attributes = [];
  for (const Attribute of ATTRIBUTES) {
    const { $metadata: _, ...value } = await ec2().send(
      new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute }),
    );
    attributes.push(value.UserData === undefined ? value : { userData: value.UserData.Value ?? "" });
  }
  const Filters = [{ Name: "attachment.instance-id", Values: [id] }];
  const { Volumes: volumes = [] } = await ec2().send(new DescribeVolumesCommand({ Filters }));
  return {
    type: told?.InstanceType,
    image: told?.ImageId,
    state: told?.State?.Name,
    groups: told?.SecurityGroups?.map(({ GroupId: group }) => group).toSorted(),
    profile: told?.IamInstanceProfile?.Arn,
    monitoring: told?.Monitoring?.State,
    ebsOptimized: told?.EbsOptimized,
    sourceDestCheck: told?.SourceDestCheck,
    metadata: told?.MetadataOptions,
    tags: told?.Tags?.map(
      ({ Key: key, Value: value }) => `${key}=${value?.replace(/^sample-\d+$/, "(name)")}`,
    ).toSorted(),
    attributes,
    volumes: volumes
      .map(({ Size, VolumeType, Iops, Throughput, Attachments: [attached] = [] }) =>
        JSON.stringify([attached?.Device, attached?.DeleteOnTermination, Size, VolumeType, Iops, Throughput]),
      )
      .toSorted(),
  };
}
