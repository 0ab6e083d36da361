import { defineResource, s } from "@gatewright/kube/define";
import type { ObjectOf } from "@gatewright/kube/define";
import { INFRA_GROUP } from "./infra-group.ts";
import { deletionPolicy, managedSpec } from "./managed-spec.ts";
import { managedColumns, managedStatus } from "./managed-status.ts";

const text = (description: string, maxLength = 255) => s.string({ description, minLength: 1, maxLength }).optional();
const flag = (description: string) => s.boolean({ description }).optional();
const told = (description: string, maxLength = 255) => s.string({ description, maxLength }).optional();

const ebs = s
  .object(
    {
      volumeSize: s.integer({
        description: "Size in GiB. It can grow and never shrink.",
        format: "int32",
        minimum: 1,
        maximum: 65_536,
        rules: [{ rule: "self >= oldSelf", message: "a volume cannot shrink" }],
      }),
      volumeType: s.string({
        description: "Type of the volume.",
        enum: ["gp2", "gp3", "io1", "io2", "st1", "sc1", "standard"],
        default: "gp3",
      }),
      iops: s
        .integer({
          description: "Operations a second, with io1, io2 and gp3.",
          format: "int32",
          minimum: 100,
          maximum: 256_000,
        })
        .optional(),
      throughput: s
        .integer({ description: "MiB a second, with gp3. AWS: 125.", format: "int32", minimum: 125, maximum: 2000 })
        .optional(),
      deleteOnTermination: s.boolean({
        description: "Whether it goes with the instance. Those that stay are in status.survivingVolumes.",
        default: true,
      }),
      encrypted: flag("Whether it is encrypted. Changing it is a replacement. AWS: as the account says."),
      kmsKeyID: text(
        "KMS key: id, ARN or alias. Changing it is a replacement, but for an alias: AWS does not tell which one was meant, and any counts as the key that it has.",
        2048,
      ),
    },
    {
      description: "The EBS volume.",
      rules: [
        {
          rule: "!has(self.iops) || self.volumeType in ['io1', 'io2', 'gp3']",
          message: "iops are for volumes of type io1, io2 and gp3",
          fieldPath: ".iops",
        },
        {
          rule: "!(self.volumeType in ['io1', 'io2']) || has(self.iops)",
          message: "volumes of type io1 and io2 need iops",
          fieldPath: ".volumeType",
        },
        {
          rule: "self.volumeType != 'gp3' || !has(self.iops) || (self.iops >= 3000 && self.iops <= 80000)",
          message: "gp3 has 3000 to 80000 iops",
          fieldPath: ".iops",
        },
        {
          rule: "!has(self.throughput) || self.volumeType == 'gp3'",
          message: "throughput is for volumes of type gp3",
          fieldPath: ".throughput",
        },
        {
          rule: "self.volumeSize >= (self.volumeType in ['io1', 'io2'] ? 4 : self.volumeType in ['st1', 'sc1'] ? 125 : 1)",
          message: "the volume is too small for its type: io1 and io2 begin at 4 GiB, st1 and sc1 at 125",
          fieldPath: ".volumeSize",
        },
        {
          rule: "!has(self.kmsKeyID) || (has(self.encrypted) && self.encrypted)",
          message: "kmsKeyID is for volumes that are encrypted: set encrypted",
          fieldPath: ".kmsKeyID",
        },
      ],
    },
  )
  .optional();

const metadataOptions = s
  .object(
    {
      httpTokens: s
        .string({ description: "required: version 2 of the service only.", enum: ["optional", "required"] })
        .optional(),
      httpEndpoint: s.string({ description: "Whether it answers.", enum: ["enabled", "disabled"] }).optional(),
      httpPutResponseHopLimit: s
        .integer({
          description: "How many hops its tokens go; containers need 2.",
          format: "int32",
          minimum: 1,
          maximum: 64,
        })
        .optional(),
      httpProtocolIpv6: s
        .string({ description: "Whether it has an IPv6 address.", enum: ["enabled", "disabled"] })
        .optional(),
      instanceMetadataTags: s
        .string({
          description:
            "Whether it tells the tags. Only disabled, which is also said where this is left out: AWS refuses tags with a slash in their key otherwise, as those that say whose an instance is.",
          enum: ["enabled", "disabled"],
        })
        .optional(),
    },
    {
      description: "The instance metadata service. AWS: as the image and the account say.",
      rules: [
        {
          rule: "!has(self.instanceMetadataTags) || self.instanceMetadataTags == 'disabled'",
          message:
            "tags cannot be told by the metadata service: AWS then refuses tag keys with a slash, and the tags that say whose the instance is have one (gatewright.dev/uid)",
          fieldPath: ".instanceMetadataTags",
        },
      ],
    },
  )
  .optional();

/** An instance of EC2. */
export const EC2Instance = defineResource({
  ...INFRA_GROUP,
  kind: "EC2Instance",
  shortNames: ["ec2"],
  categories: ["aws"],
  scope: "Namespaced",
  description: "An instance of Amazon EC2.",
  spec: s.object(
    {
      ...managedSpec,
      instanceName: s.string({ description: "Its tag Name, unless tags has one.", minLength: 1, maxLength: 255 }),
      instanceType: s.string({
        description: "Type, such as t3.micro. Another one needs a stop.",
        maxLength: 64,
        pattern: "^[a-z][a-z0-9-]*\\.[a-z0-9-]+$",
      }),
      imageID: s.string({
        description: "The image (AMI). Changing it is a replacement.",
        maxLength: 64,
        pattern: "^ami-[0-9a-f]{8,17}$",
      }),
      keyName: text("Key pair for SSH. Changing it is a replacement."),
      subnetID: s
        .string({
          description: "Subnet. Changing it is a replacement. AWS: one of the default VPC.",
          maxLength: 64,
          pattern: "^subnet-[0-9a-f]+$",
        })
        .optional(),
      securityGroupIDs: s
        .array(s.string({ maxLength: 64, pattern: "^sg-[0-9a-f]+$" }), {
          description: "Its security groups. AWS: the VPC's default.",
          maxItems: 16,
          listType: "set",
        })
        .optional(),
      privateIpAddress: s
        .string({ description: "Its address in the subnet. Changing it is a replacement.", format: "ipv4" })
        .optional(),
      associatePublicIpAddress: flag(
        "Whether it gets a public address. Counts at creation only. AWS: as the subnet says.",
      ),
      sourceDestCheck: flag("Whether it only takes packets that are for itself. AWS: yes; off for routers."),
      iamInstanceProfile: s
        .string({
          description: "Instance profile, by name or ARN.",
          maxLength: 2048,
          pattern: "^(arn:[a-z-]+:iam::[0-9]{12}:instance-profile/)?[A-Za-z0-9+=,.@_/-]+$",
        })
        .optional(),
      userData: s
        .string({
          description:
            "What runs at the first start, as plain text, up to 16 KiB. Another one needs a stop, and most images look at it at their first start only.",
          maxLength: 16_384,
        })
        .optional(),
      blockDeviceMappings: s
        .array(
          s.object({
            deviceName: s.string({ description: "Such as /dev/xvda.", minLength: 1, maxLength: 64 }),
            ebs,
          }),
          {
            description: "Volumes. One more, or an encryption that differs, is a replacement.",
            maxItems: 27,
            listType: "map",
            listMapKeys: ["deviceName"],
          },
        )
        .optional(),
      ebsOptimized: flag("Bandwidth of its own for volumes. Another value needs a stop."),
      monitoring: flag("Whether CloudWatch gets figures every minute. AWS: every five."),
      metadataOptions,
      disableApiTermination: flag("Whether AWS refuses to terminate it. Turn it off here to delete. AWS: no."),
      disableApiStop: flag("Whether AWS refuses to stop it. AWS: no."),
      instanceInitiatedShutdownBehavior: s
        .string({ description: "What a shutdown from inside means. AWS: stop.", enum: ["stop", "terminate"] })
        .optional(),
      state: s
        .string({
          description: "Whether it runs. Default: it is started once and then left alone.",
          enum: ["Running", "Stopped"],
        })
        .optional(),
      allowStopForChanges: flag(
        "Whether it may be stopped and started again for what can only be changed while it is stopped: instanceType, userData and ebsOptimized.",
      ),
      enableConsoleOutput: flag("Whether status.consoleOutput has the end of its console."),
      deletionPolicy: deletionPolicy(
        ["Delete", "Retain", "Orphan", "Stop"],
        "Delete",
        " Delete: it is terminated. Stop: it is stopped and stays.",
      ),
    },
    {
      rules: [
        {
          rule: "!has(self.securityGroupIDs) || self.securityGroupIDs.size() > 0",
          message: "leave securityGroupIDs out for the default group",
          fieldPath: ".securityGroupIDs",
        },
        {
          rule: "!(has(self.state) && self.state == 'Stopped' && has(self.disableApiStop) && self.disableApiStop)",
          message: "an instance that AWS refuses to stop cannot have the state Stopped",
          fieldPath: ".state",
        },
        {
          rule: "!(self.deletionPolicy == 'Stop' && has(self.disableApiStop) && self.disableApiStop)",
          message: "an instance that AWS refuses to stop cannot have the deletionPolicy Stop",
          fieldPath: ".deletionPolicy",
        },
      ],
    },
  ),
  status: s.object({
    ...managedStatus,
    instanceID: told("Id that AWS gave it.", 64),
    instanceState: told("pending, running, stopping, stopped or shutting-down.", 32),
    privateIP: told("Its address in the VPC.", 64),
    publicIP: told("Its public address, while it has one.", 64),
    privateDNS: told("Its name in the VPC."),
    publicDNS: told("Its public name, while it has one."),
    availabilityZone: told("Zone that it is in.", 64),
    launchTime: s.time({ description: "When it was last started." }).optional(),
    survivingVolumes: s
      .array(s.string({ maxLength: 64 }), {
        description: "Volumes that stay when it is terminated.",
        maxItems: 40,
        listType: "atomic",
      })
      .optional(),
    consoleOutput: told("The last 100 lines of its console, when spec.enableConsoleOutput asks for them.", 32_768),
    consoleOutputTimestamp: s.time({ description: "When AWS last took it." }).optional(),
  }),
  columns: [
    { name: "Instance", type: "string", path: ".spec.instanceName" },
    { name: "Type", type: "string", path: ".spec.instanceType" },
    { name: "State", type: "string", path: ".status.instanceState" },
    { name: "InstanceID", type: "string", path: ".status.instanceID" },
    { name: "PrivateIP", type: "string", path: ".status.privateIP" },
    ...managedColumns,
  ],
  example: {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "EC2Instance",
    metadata: { name: "bastion", namespace: "default" },
    spec: {
      providerRef: { name: "aws" },
      instanceName: "shop-bastion",
      instanceType: "t3.micro",
      imageID: "ami-0a1b2c3d4e5f60001",
      metadataOptions: { httpTokens: "required" },
      blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: { volumeSize: 20, encrypted: true } }],
      allowStopForChanges: true,
      writeOutputsTo: { kind: "ConfigMap", name: "bastion", data: { HOST: "${privateIP}" } },
    },
  },
});

/** {@inheritDoc EC2Instance} */
export type EC2Instance = ObjectOf<typeof EC2Instance>;
