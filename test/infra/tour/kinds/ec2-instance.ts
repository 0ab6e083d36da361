import { EC2Instance } from "@gatewright/resources";
import type { Json, JsonObject } from "@gatewright/kube";
import { tagsIn, textIn, within } from "../cli.ts";
import type { Cli } from "../cli.ts";
import type { FieldStop, KindTour } from "../kind-tour.ts";
import { managed } from "../managed.ts";

type Told = Readonly<Record<string, Json>>;

/** An id says nothing of an object: instances are found by a tag of the user's own. */
const named = (name: string): string => `Name=tag:tour,Values=${name}`;
const LIVING = "Name=instance-state-name,Values=pending,running,stopping,stopped";
const described = async (cli: Cli, id: string): Promise<Told> =>
  within(await cli.ask(`ec2 describe-instances --instance-ids ${id}`), "Reservations", 0, "Instances", 0) as Told;
const attribute = (name: string) => async (cli: Cli, id: string) => {
  const told = await cli.ask(`ec2 describe-instance-attribute --attribute ${name} --instance-id ${id}`);
  const key = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return within(told, key, "Value") ?? null;
};
const stop = (field: string, value: Json, seen: JsonObject, more: JsonObject = {}): FieldStop => ({
  field,
  put: { [field]: value, ...more },
  sees: { instance: seen },
});
const METADATA = {
  httpTokens: "required",
  httpEndpoint: "enabled",
  httpPutResponseHopLimit: 2,
  httpProtocolIpv6: "disabled",
  instanceMetadataTags: "disabled",
};
const option = (name: keyof typeof METADATA, value: string | number, member: string): FieldStop => ({
  field: `metadataOptions.${name}`,
  put: { metadataOptions: { ...METADATA, [name]: value } },
  sees: { instance: { MetadataOptions: { [member]: value } } },
});
const disk = (ebs: JsonObject): JsonObject => ({
  blockDeviceMappings: [
    { deviceName: "/dev/sdf", ebs: { volumeSize: 20, volumeType: "gp3", iops: 3000, throughput: 125, ...ebs } },
  ],
});

export const ec2InstanceTour: KindTour = {
  title: "EC2Instance",
  resource: managed(EC2Instance),
  async find(cli, name) {
    const told = await cli.ask(`ec2 describe-instances --filters ${named(name)} ${LIVING}`);
    const found = (within(told, "Reservations") as readonly Json[]).flatMap(
      (each) => within(each, "Instances") as readonly Json[],
    );
    if (found.length > 1) throw new Error(`there are ${found.length} of ${name}`);
    return found[0] === undefined ? undefined : textIn(found[0], "InstanceId");
  },
  looks: {
    async instance(cli, id) {
      const told = await described(cli, id);
      const kept = [
        "InstanceId",
        "InstanceType",
        "ImageId",
        "EbsOptimized",
        "SourceDestCheck",
        "MetadataOptions",
        "SubnetId",
      ];
      return {
        ...Object.fromEntries(Object.entries(told).filter(([key]) => kept.includes(key))),
        state: within(told, "State", "Name") ?? null,
        profile: within(told, "IamInstanceProfile", "Arn") ?? null,
        monitoring: within(told, "Monitoring", "State") ?? null,
        groups: ((told["SecurityGroups"] ?? []) as readonly Json[]).map((each) => textIn(each, "GroupId")),
        name: tagsIn(told["Tags"])["Name"] ?? null,
      };
    },
    userData: async (cli, id) => (await attribute("userData")(cli, id)) || null,
    keepsAlive: attribute("disableApiTermination"),
    keepsRunning: attribute("disableApiStop"),
    shutdown: attribute("instanceInitiatedShutdownBehavior"),
    async volume(cli, id) {
      const told = await cli.ask(
        `ec2 describe-volumes --filters Name=attachment.instance-id,Values=${id} Name=attachment.device,Values=/dev/sdf`,
      );
      const volume = within(told, "Volumes", 0) as Told | undefined;
      const devices = ((await described(cli, id))["BlockDeviceMappings"] ?? []) as readonly Json[];
      const attached = devices.find((each) => within(each, "DeviceName") === "/dev/sdf");
      return volume === undefined
        ? null
        : {
            Size: volume["Size"] ?? null,
            VolumeType: volume["VolumeType"] ?? null,
            Iops: volume["Iops"] ?? null,
            Throughput: volume["Throughput"] ?? null,
            goes: within(attached, "Ebs", "DeleteOnTermination") ?? null,
          };
    },
  },
  tags: async (cli, id) => {
    const { Name: _, tour: __, ...tags } = tagsIn((await described(cli, id))["Tags"]);
    return tags;
  },
  async open(cli) {
    const images = await cli.ask(
      "ec2 describe-images --owners amazon --query",
      "Images[?Architecture=='x86_64'].ImageId",
    );
    const [image, other] = [textIn(images, 0), textIn(images, 1)];
    const groups: string[] = [];
    for (const name of ["tour-first", "tour-second"]) {
      groups.push(textIn(await cli.ask(`ec2 create-security-group --description x --group-name ${name}`), "GroupId"));
    }
    const [first = "", second = ""] = groups;
    const profile = textIn(
      await cli.ask("iam create-instance-profile --instance-profile-name tour-web"),
      "InstanceProfile",
      "Arn",
    );
    return {
      spec: (name) => ({
        instanceName: name,
        instanceType: "t3.micro",
        imageID: image,
        securityGroupIDs: [first],
        metadataOptions: METADATA,
        ...disk({}),
        allowStopForChanges: true,
        tags: { tour: name },
      }),
      made: {
        instance: {
          InstanceType: "t3.micro",
          ImageId: image,
          state: "running",
          groups: [first],
          name: "tour-ec2instance-main",
          MetadataOptions: { HttpTokens: "required", HttpPutResponseHopLimit: 2 },
        },
        volume: { Size: 20, VolumeType: "gp3", goes: true },
      },
      adopted: { instance: { InstanceType: "t3.micro", ImageId: image, state: "running", groups: [first] } },
      changes: [
        stop("instanceName", "renamed", { name: "renamed" }),
        stop("instanceType", "t3.small", { InstanceType: "t3.small", state: "running" }),
        stop("securityGroupIDs", [second], { groups: [second] }),
        stop("sourceDestCheck", false, { SourceDestCheck: false }),
        stop("iamInstanceProfile", "tour-web", { profile }),
        {
          field: "userData",
          put: { userData: "#!/bin/sh\n" },
          sees: { userData: "IyEvYmluL3NoCg==", instance: { state: "running" } },
        },
        stop("ebsOptimized", true, { EbsOptimized: true }),
        stop("monitoring", true, { monitoring: "enabled" }),
        { field: "disableApiTermination", put: { disableApiTermination: true }, sees: { keepsAlive: true } },
        { field: "disableApiStop", put: { disableApiStop: true }, sees: { keepsRunning: true } },
        {
          field: "instanceInitiatedShutdownBehavior",
          put: { instanceInitiatedShutdownBehavior: "terminate" },
          sees: { shutdown: "terminate" },
        },
        option("httpTokens", "optional", "HttpTokens"),
        option("httpEndpoint", "disabled", "HttpEndpoint"),
        option("httpPutResponseHopLimit", 3, "HttpPutResponseHopLimit"),
        option("httpProtocolIpv6", "enabled", "HttpProtocolIpv6"),
        option("instanceMetadataTags", "disabled", "InstanceMetadataTags"),
        {
          field: "blockDeviceMappings.deleteOnTermination",
          put: disk({ deleteOnTermination: false }),
          sees: { volume: { goes: false } },
        },
        stop("state", "Stopped", { state: "stopped" }),
        stop("state", "Running", { state: "running" }),
      ],
      replacement: { put: { imageID: other }, sees: { instance: { ImageId: other, state: "running" } } },
      noWayBack: [
        {
          field: "blockDeviceMappings",
          put: disk({ volumeSize: 30, iops: 4000 }),
          sees: { volume: { Size: 30, Iops: 4000 } },
        },
      ],
    };
  },
  elsewhere: ["allowStopForChanges"],
  drift: {
    by: (cli, id) =>
      cli.ask(`ec2 modify-instance-metadata-options --http-put-response-hop-limit 5 --instance-id ${id}`),
    sees: { instance: { MetadataOptions: { HttpPutResponseHopLimit: 5 } } },
  },
  async makeByHand(cli, name) {
    const images = await cli.ask(
      "ec2 describe-images --owners amazon --query",
      "Images[?Architecture=='x86_64'].ImageId",
    );
    const tags = `ResourceType=instance,Tags=[{Key=tour,Value=${name}},{Key=team,Value=old}]`;
    await cli.ask(
      `ec2 run-instances --image-id ${textIn(images, 0)} --instance-type t3.micro --tag-specifications ${tags} --block-device-mappings`,
      [{ DeviceName: "/dev/sdf", Ebs: { VolumeSize: 20, VolumeType: "gp3" } }],
    );
  },
  isReplaceable: true,
  retired: { policy: "Stop", sees: { instance: { state: "stopped" } } },
  consent: (name) => ({ byTags: { tour: name, team: "old" } }),
  hold: { put: { disableApiTermination: true }, reason: "DeletionProtected", letGo: { disableApiTermination: false } },
};
